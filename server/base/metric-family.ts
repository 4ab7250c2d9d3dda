/** Figures of one name, as the registry tells them. */
export interface MetricFamily {
  name: string
  help: string
  type: string
  values: { value: number; labels: Record<string, string | number>; metricName?: string }[]
}
