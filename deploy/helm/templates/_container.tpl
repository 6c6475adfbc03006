{{/* Of each container. */}}
{{- define "codemode.environment" -}}
- name: CODEMODE_TOKEN
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: token } }
- name: CODEMODE_METRICS_TOKEN
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: metrics-token } }
- name: CODEMODE_STORE
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: store, optional: true } }
- name: CODEMODE_STORE_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.secret | quote }}, key: store-key, optional: true } }
{{- end }}
{{- define "codemode.confined" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}
