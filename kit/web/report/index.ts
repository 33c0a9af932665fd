export { ReportPage } from './report-page.tsx'
export type { Drill } from './figure.tsx'
export { useReport } from './use-report.ts'
export type { ReportRow, ShownReport } from './use-report.ts'
