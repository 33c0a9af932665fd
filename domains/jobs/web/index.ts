import './jobs.css'

export { ImportWizard, TaskCenter } from './on-demand.tsx'
export { useRunningJobs } from './task/use-jobs.ts'
export { importSearchNames, useImportDoor } from './wizard/import-door.ts'
export type { ImportDoor } from './wizard/import-door.ts'
