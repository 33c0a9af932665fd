export { readReport } from './read-report.ts'
export type { ReportSource } from './read-report.ts'
export { reportExport } from './report-export.ts'
