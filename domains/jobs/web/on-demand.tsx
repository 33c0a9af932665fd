import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { ImportWizardProps } from './wizard/import-wizard.tsx'

const Wizard = lazy(() => import('./wizard/import-wizard.tsx').then(({ ImportWizard: loaded }) => ({ default: loaded })))
const Center = lazy(() => import('./task/task-center.tsx').then(({ TaskCenter: loaded }) => ({ default: loaded })))

/** The import of one template; its code is fetched when it is first opened. */
export function ImportWizard(props: ImportWizardProps): ReactNode {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <Wizard {...props} />
    </Suspense>
  )
}

/** The person's jobs, fetched when the drawer opens. */
export function TaskCenter(): ReactNode {
  return (
    <Suspense fallback={null}>
      <Center />
    </Suspense>
  )
}
