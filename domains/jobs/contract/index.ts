export { jobChannel, JobProgressRow } from './channels.ts'
export { jobsErrors } from './errors.ts'
export { job_states, jobApi, JobNo, JobRow } from './job.ts'
export { batch_states, batch_view_all, BatchNo, importApi, ImportBatch, ImportColumn, ImportRow, RowChange, RowIssue, TemplateCode, verdicts } from './import.ts'
