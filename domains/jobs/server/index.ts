export { importTemplate, importTemplatePort, missingCells } from './import-template.ts'
export { jobKindPort, workKindPort } from './job-kind.ts'
