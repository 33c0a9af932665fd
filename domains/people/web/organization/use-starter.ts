import { deptEditApi, most_depts } from '@campus/people/contract'
import { call, sentenceOf } from '@kit/web'
import { useState } from 'react'
import { roundOf } from './starter-plan.ts'
import type { PlannedDept, StarterRound } from './starter-plan.ts'
import { readTree, useRefresh } from './use-organization.ts'

/** Making a whole structure: how far it is, and why it stopped. Running it again goes on where it stopped. */
export type Starter = { busy: boolean; done: number; refused: string | null; run: (plan: readonly PlannedDept[]) => Promise<boolean> }

/** Makes what of a plan is missing, a batch at a time, parents first. Answers false when it was refused. */
export function useStarter(): Starter {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [done, setDone] = useState(0)
  const [refused, setRefused] = useState<string | null>(null)
  const run = async (plan: readonly PlannedDept[]) => {
    setBusy(true)
    setRefused(null)
    try {
      await makeAll(plan, setDone)
      return true
    } catch (cause) {
      setRefused(sentenceOf(cause))
      return false
    } finally {
      await refresh()
      setBusy(false)
    }
  }
  return { busy, done, refused, run }
}

function rowOf({ parent_id, dept_name, dept_type, stage, grade, enrol_year, class_no }: StarterRound['next'][number]) {
  return { parent_id, dept_name, dept_type, stage, grade, enrol_year, class_no }
}

async function makeAll(plan: readonly PlannedDept[], tell: (done: number) => void): Promise<void> {
  let made = -1
  for (;;) {
    const { standing, next } = roundOf(plan, await readTree('student'))
    tell(standing.size)
    // What was made and is not found is out of sight; asking again would only be refused.
    if (next.length === 0 || standing.size === made) return
    made = standing.size
    await call(deptEditApi.batchAdd, { rows: next.slice(0, most_depts).map(rowOf) }, { quiet: true })
  }
}
