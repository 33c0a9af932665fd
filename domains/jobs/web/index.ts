import './jobs.css'

export { TaskCenter } from './task/task-center.tsx'
export { useRunningJobs } from './task/use-jobs.ts'
export { importSearchNames, useImportDoor } from './wizard/import-door.ts'
export type { ImportDoor } from './wizard/import-door.ts'
export { ImportWizard } from './wizard/import-wizard.tsx'
