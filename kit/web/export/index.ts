export { ExportButton } from './export-button.tsx'
export { ExportProgress } from './export-progress.tsx'
