{{/* The name of all objects. Kubernetes adds up to eleven characters to the name of a StatefulSet. */}}
{{- define "helper.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "helper.selectorLabels" -}}
app.kubernetes.io/name: {{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "helper.labels" -}}
{{ include "helper.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "helper.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- define "helper.serviceAccountName" -}}
{{- default (ternary (include "helper.fullname" .) "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{/* The settings that the chart itself reads, with the server's defaults. */}}
{{- define "helper.port" -}}
{{- (.Values.config.server).port | default 8080 | int -}}
{{- end -}}

{{- define "helper.metricsPort" -}}
{{- with ((.Values.config.endpoints).metrics).port }}{{ int . }}{{ end -}}
{{- end -}}

{{- define "helper.metricsPath" -}}
{{- ((.Values.config.endpoints).metrics).path | default "/metrics" -}}
{{- end -}}

{{- define "helper.scheme" -}}
{{- ternary "HTTPS" "HTTP" (not (empty (.Values.config.server).tls)) -}}
{{- end -}}

{{- define "helper.storagePath" -}}
{{- (.Values.config.storage).path | default "/data" -}}
{{- end -}}

{{/* Whether the server keeps anything on a volume. */}}
{{- define "helper.keeps" -}}
{{- if and .Values.persistence.enabled (eq ((.Values.config.storage).type | default "embedded") "embedded") }}true{{ end -}}
{{- end -}}

{{/* Whether the server is one of several replicas. They share their storage, so none has a volume. */}}
{{- define "helper.isReplicated" -}}
{{- if eq ((.Values.config.scaleOut).type | default "none") "redis" }}true{{ end -}}
{{- end -}}

{{/* How many replicas there may be. */}}
{{- define "helper.mostReplicas" -}}
{{- ternary .Values.autoscaling.maxReplicas .Values.replicas .Values.autoscaling.enabled | int -}}
{{- end -}}

{{/* What runs the pods, as kubectl names it. */}}
{{- define "helper.workload" -}}
{{ ternary "deployment" "statefulset" (eq (include "helper.isReplicated" .) "true") }}/{{ include "helper.fullname" . }}
{{- end -}}

{{/* Seconds of a duration such as 25s, 1.5m or 00:00:25, rounded up. */}}
{{- define "helper.seconds" -}}
{{- $text := . | toString | trim -}}
{{- if regexMatch "^0+$" $text -}}
0
{{- else if contains ":" $text -}}
{{- $parts := splitList ":" (regexReplaceAll "^[0-9]+\\." $text "") -}}
{{- $days := regexFind "^[0-9]+\\.[0-9]+:" $text | regexFind "^[0-9]+" | default "0" -}}
{{- addf (mulf (float64 $days) 86400) (mulf (float64 (index $parts 0)) 3600) (mulf (float64 (index $parts 1)) 60) (float64 (index $parts 2)) | ceil | int -}}
{{- else -}}
{{- $perUnit := dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0 "d" 86400.0 -}}
{{- mulf (regexFind "^[0-9.]+" $text | float64) (get $perUnit (regexFind "[a-z]+$" $text)) | ceil | int -}}
{{- end -}}
{{- end -}}

{{/*
The time for stopping the pod. It is a little longer than the server may take, so that a stopping server is not killed. One of several
replicas hands its turns over as well, and the time before the stop counts too.
*/}}
{{- define "helper.terminationGracePeriodSeconds" -}}
{{- if kindIs "invalid" .Values.terminationGracePeriodSeconds -}}
{{- $grace := (.Values.config.server).shutdownGrace -}}
{{- $more := ternary (add 10 (int .Values.preStopSeconds)) 5 (eq (include "helper.isReplicated" .) "true") -}}
{{- add $more (include "helper.seconds" (ternary "25s" $grace (kindIs "invalid" $grace)) | int) -}}
{{- else -}}
{{- int .Values.terminationGracePeriodSeconds -}}
{{- end -}}
{{- end -}}

{{- define "helper.pluginConfigMap" -}}
{{ include "helper.fullname" .context }}-plugin-{{ .name }}
{{- end -}}

{{/* The addresses that users need, as a list of { type, value }. Metrics and probes are not among them. */}}
{{- define "helper.publicPaths" -}}
{{- $server := .Values.config.server | default dict -}}
{{- $base := $server.basePath | default "" -}}
{{- $paths := list (dict "type" "Prefix" "value" (print $base "/helper")) -}}
{{- range list ($server.hubPath | default "/helper-hub") ($server.ssePath | default "/helper/chat") -}}
{{- if not (hasPrefix "/helper/" .) -}}
{{- $paths = append $paths (dict "type" "Prefix" "value" (print $base .)) -}}
{{- end -}}
{{- end -}}
{{- if .Values.config.demoPage -}}
{{- $paths = append $paths (dict "type" "Exact" "value" (print $base "/")) -}}
{{- end -}}
{{- if $server.securityContact -}}
{{- $paths = append $paths (dict "type" "Exact" "value" "/.well-known/security.txt") -}}
{{- end -}}
{{- toJson $paths -}}
{{- end -}}

{{/* Refuses values that are each valid and cannot work together. */}}
{{- define "helper.check" -}}
{{- $server := .Values.config.server | default dict -}}
{{- $metrics := (.Values.config.endpoints).metrics | default dict -}}
{{- range list "ingress" "httpRoute" -}}
{{- $route := get $.Values . -}}
{{- if $route.enabled -}}
{{- if not $route.host -}}
{{- fail (printf "%s.enabled needs %s.host, the name by which users reach the server." . .) -}}
{{- end -}}
{{- if not (or $server.publicUrl (has $route.host ($server.hosts | default list))) -}}
{{- fail (printf "The server would refuse every visitor of %s: set config.server.publicUrl to https://%s." $route.host $route.host) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and .Values.httpRoute.enabled (not .Values.httpRoute.parentRefs) -}}
{{- fail "httpRoute.enabled needs httpRoute.parentRefs, the gateway that the route belongs to." -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled $metrics.token (not .Values.serviceMonitor.authorization) -}}
{{- fail "config.endpoints.metrics.token is set: name the Secret that holds it as serviceMonitor.authorization.credentials." -}}
{{- end -}}
{{- if and .Values.grafanaDashboard.enabled (hasKey .Values.dashboards "helper") -}}
{{- fail "dashboards.helper and the chart's own dashboard would be one file: give yours another name." -}}
{{- end -}}
{{- include "helper.checkReplicas" . -}}
{{- $keys := .Values.config.dataProtection | default dict -}}
{{- if and (eq ((.Values.config.storage).type | default "embedded") "postgres") (not (or $keys.keys $keys.keyFile)) -}}
{{- fail "config.storage.type is postgres, and nothing else outlives the pod: set config.dataProtection.keys, or the next pod cannot open what is kept." -}}
{{- end -}}
{{- if and .Values.plugins (not (kindIs "map" .Values.config.actions)) -}}
{{- fail "plugins are given, but nothing loads them: set config.actions.plugins to [/etc/helper/plugins]." -}}
{{- end -}}
{{- if and .Values.plugins (not (has "/etc/helper/plugins" (.Values.config.actions.plugins | default list))) -}}
{{- fail "plugins are given, but nothing loads them: set config.actions.plugins to [/etc/helper/plugins]." -}}
{{- end -}}
{{- $names := list -}}
{{- range .Values.plugins -}}
{{- if has .name $names -}}
{{- fail (printf "Two plugins are called %s: give each a name of its own." .name) -}}
{{- end -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- end -}}
