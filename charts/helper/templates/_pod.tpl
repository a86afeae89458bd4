{{/* The pod of a server, whatever keeps it. */}}
{{- define "helper.podTemplate" -}}
metadata:
  labels:
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- include "helper.labels" . | nindent 4 }}
  annotations:
    # A running server takes only part of a changed configuration, so a change makes a new pod. The kill switch needs none.
    checksum/config: {{ dict "config" (omit .Values.config "killSwitch") "plugins" .Values.plugins | toJson | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "helper.serviceAccountName" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ include "helper.terminationGracePeriodSeconds" . }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if include "helper.isReplicated" . }}
  topologySpreadConstraints:
    {{- if .Values.topologySpreadConstraints }}
    {{- toYaml .Values.topologySpreadConstraints | nindent 4 }}
    {{- else }}
    {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
    - topologyKey: {{ . }}
      maxSkew: 1
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "helper.selectorLabels" $ | nindent 10 }}
      # The pods of the version before are about to go.
      matchLabelKeys: [pod-template-hash]
    {{- end }}
    {{- end }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.podSecurityContext }}
  securityContext:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with include "helper.pluginInitContainers" . | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  containers:
    - name: helper
      image: {{ include "helper.image" . | quote }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      {{- with .Values.containerSecurityContext }}
      securityContext:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        - name: HELPER_CONFIG
          value: /etc/helper/config/helper.yaml
        # The image sets these two variables, and variables win over the file. Setting them to the file's values lets the file decide.
        - name: HELPER__SERVER__HOST
          value: {{ (.Values.config.server).host | default "0.0.0.0" | quote }}
        - name: HELPER__STORAGE__PATH
          value: {{ include "helper.storagePath" . | quote }}
        {{- if include "helper.isReplicated" . }}
        - name: HELPER__SCALEOUT__REPLICAS
          value: {{ include "helper.mostReplicas" . | int | max 1 | quote }}
        {{- end }}
        {{- with .Values.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - name: http
          containerPort: {{ include "helper.port" . }}
          protocol: TCP
        {{- with include "helper.metricsPort" . }}
        - name: metrics
          containerPort: {{ . }}
          protocol: TCP
        {{- end }}
      {{- range $kind := list "startup" "liveness" "readiness" }}
      {{ $kind }}Probe:
        httpGet:
          path: {{ ternary "/readyz" "/healthz" (eq $kind "readiness") }}
          port: http
          scheme: {{ include "helper.scheme" $ }}
        {{- toYaml (get $.Values.probes $kind) | nindent 8 }}
      {{- end }}
      {{- if and (include "helper.isReplicated" .) .Values.preStopSeconds }}
      lifecycle:
        preStop:
          exec:
            # Balancers learn late that the pod ends, so it serves on until they have. `sleep` of a handler itself is too new.
            command: [sleep, {{ int .Values.preStopSeconds | quote }}]
      {{- end }}
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: config
          mountPath: /etc/helper/config
          readOnly: true
        - name: data
          mountPath: {{ include "helper.storagePath" . }}
        - name: tmp
          mountPath: /tmp
        {{- range .Values.secrets }}
        - name: secret-{{ . }}
          mountPath: /run/secrets/{{ . }}
          readOnly: true
        {{- end }}
        {{- with include "helper.pluginMounts" . | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  volumes:
    - name: config
      configMap:
        name: {{ include "helper.fullname" . }}
    - name: tmp
      emptyDir:
        sizeLimit: 64Mi
    {{- if not (include "helper.keeps" .) }}
    - name: data
      emptyDir: {}
    {{- else if .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim }}
    {{- end }}
    {{- range .Values.secrets }}
    - name: secret-{{ . }}
      secret:
        secretName: {{ . }}
        # 0440: fsGroup owns the files, so the server can read them.
        defaultMode: 288
    {{- end }}
    {{- with include "helper.pluginVolumes" . | trim }}
    {{- . | nindent 4 }}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end -}}
