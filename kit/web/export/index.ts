export { ExportButton } from './export-button.tsx'
export { ListExport } from './list-export.tsx'
export { ExportProgress } from './export-progress.tsx'
