{{/* Refuses replicas that the server would refuse too, before anything is installed. */}}
{{- define "helper.checkReplicas" -}}
{{- $isReplicated := include "helper.isReplicated" . -}}
{{- $storage := (.Values.config.storage).type | default "embedded" -}}
{{- $keys := .Values.config.dataProtection | default dict -}}
{{- $why := "config.scaleOut.type is redis" -}}
{{- if .Values.autoscaling.enabled -}}
{{- $why = "autoscaling is on" -}}
{{- else if gt (int .Values.replicas) 1 -}}
{{- $why = printf "replicas is %d" (int .Values.replicas) -}}
{{- end -}}
{{- if or $isReplicated .Values.autoscaling.enabled (gt (int .Values.replicas) 1) -}}
{{- if ne $storage "postgres" -}}
{{- fail (printf "%s, and replicas share one database: set config.storage.type to postgres, and config.storage.url." $why) -}}
{{- end -}}
{{- if not $isReplicated -}}
{{- fail (printf "%s, and replicas reach each other over Redis: set config.scaleOut.type to redis, and config.scaleOut.url." $why) -}}
{{- end -}}
{{- if not (or $keys.keys $keys.keyFile) -}}
{{- fail (printf "%s, and replicas share their keys: set config.dataProtection.keys." $why) -}}
{{- end -}}
{{- end -}}
{{- if .Values.autoscaling.enabled -}}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) -}}
{{- fail (printf "autoscaling.minReplicas is %d, which is more than autoscaling.maxReplicas." (int .Values.autoscaling.minReplicas)) -}}
{{- end -}}
{{- if not .Values.autoscaling.external -}}
{{- if not (or .Values.autoscaling.cpuUtilization .Values.autoscaling.connectionsPerReplica .Values.autoscaling.runningTurnsPerReplica) -}}
{{- fail "autoscaling is on and nothing says by what: set autoscaling.cpuUtilization, or autoscaling.external for an autoscaler of your own." -}}
{{- end -}}
{{- if and .Values.autoscaling.cpuUtilization (not ((.Values.resources).requests).cpu) -}}
{{- fail "autoscaling.cpuUtilization is a part of resources.requests.cpu: set that too." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
