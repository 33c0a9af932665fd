import { insightCards } from '@campus/insight/contract'
import { cardViews } from '@kit/web/dashboard'
import type { ComponentType } from 'react'
import type * as figure_cards from './figure-cards.tsx'

const part = (name: keyof typeof figure_cards) => async (): Promise<{ default: ComponentType }> => ({ default: (await import('./figure-cards.tsx'))[name] })

/** The figures of the morning as cards of the dashboards. */
export const insightCardViews = cardViews(insightCards, {
  'insight.students': part('StudentsCard'),
  'insight.classes': part('ClassesCard'),
  'insight.staff': part('StaffCard'),
  'insight.changes': part('ChangesCard'),
  'insight.gaps': part('GapsCard'),
  'insight.grades': part('GradesCard'),
  'insight.depts': part('DeptsCard'),
  'insight.todo': part('TodosCard'),
})
