export { lazyDialog, useDialog } from './dialog.tsx'
export type { Dialog } from './dialog.tsx'
export { useAct } from './use-act.ts'
export type { Act, ActOptions } from './use-act.ts'
