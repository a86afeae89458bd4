{{/* Copies the plugins from images to the folder where the server reads them. The images need a shell with `cp`. */}}
{{- define "helper.pluginInitContainers" -}}
{{- $copied := list -}}
{{- range .Values.plugins -}}
{{- if and .image (ne (.image.mount | default "copy") "volume") -}}
{{- $copied = append $copied . -}}
{{- end -}}
{{- end -}}
{{- with $copied }}
initContainers:
  {{- range . }}
  - name: plugin-{{ .name }}
    image: {{ .image.reference | quote }}
    imagePullPolicy: {{ .image.pullPolicy | default "IfNotPresent" }}
    command: [cp, -R, {{ printf "%s/." (.image.path | default "/plugin") | quote }}, /to/]
    {{- with $.Values.containerSecurityContext }}
    securityContext:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    {{- with $.Values.resources }}
    resources:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    volumeMounts:
      - name: plugin-{{ .name }}
        mountPath: /to
  {{- end }}
{{- end }}
{{- end -}}

{{- define "helper.pluginMounts" -}}
{{- range .Values.plugins }}
- name: plugin-{{ .name }}
  mountPath: /etc/helper/plugins/{{ .name }}
  readOnly: true
  {{- if and .image (eq (.image.mount | default "copy") "volume") }}
  subPath: {{ .image.path | default "/plugin" | trimPrefix "/" | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{- define "helper.pluginVolumes" -}}
{{- range .Values.plugins }}
- name: plugin-{{ .name }}
  {{- if .files }}
  configMap:
    name: {{ include "helper.pluginConfigMap" (dict "context" $ "name" .name) }}
  {{- else if .configMap }}
  configMap:
    name: {{ .configMap }}
  {{- else if eq (.image.mount | default "copy") "volume" }}
  image:
    reference: {{ .image.reference | quote }}
    pullPolicy: {{ .image.pullPolicy | default "IfNotPresent" }}
  {{- else }}
  emptyDir: {}
  {{- end }}
{{- end }}
{{- end -}}
