export { Chart } from './chart.tsx'
export type { Box, ChartData, Picked, Series } from './chart-data.ts'
