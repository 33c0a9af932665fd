import { deptApi, deptEditApi, upgradeApi, upgradeRunApi } from '@campus/people/contract'
import type { UpgradeDiff, UpgradePlan } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { call } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { peoplePorts } from '../ports.ts'

const every_ms = 1000
const current_key = [upgradeApi.current.call]

export type PlanPatch = Omit<Request<typeof upgradeApi.update>, 'id' | 'row_version'>

/** The newest plan and everything that can be done with it; while it runs it is asked for every second. */
export function useUpgrade() {
  const client = useQueryClient()
  const query = useQuery({
    queryKey: current_key,
    queryFn: ({ signal }) => call(upgradeApi.current, {}, { signal, quiet: true }),
    refetchInterval: ({ state }) => (isMoving(state.data?.plan) ? every_ms : false),
    retry: false,
  })
  const keep = (plan: UpgradePlan) => client.setQueryData(current_key, { plan, next: query.data?.next ?? { school_year: plan.school_year, effective_on: plan.effective_on } })
  const again = () => client.invalidateQueries({ queryKey: current_key })
  const refreshTree = () => {
    for (const key of [deptApi.tree.call, deptEditApi.treeByGrade.call, deptEditApi.days.call, upgradeRunApi.graduates.call, 'dept-tree', 'tree']) void client.invalidateQueries({ queryKey: [key] })
  }
  return {
    query,
    create: async (school_year: string, effective_on: string) => keep(await call(upgradeApi.create, { school_year, effective_on }, { quiet: true })),
    update: async ({ plan_id, row_version }: UpgradePlan, patch: PlanPatch) => keep(await call(upgradeApi.update, { id: plan_id, row_version, ...patch }, { quiet: true })),
    simulate: async ({ plan_id }: UpgradePlan): Promise<UpgradeDiff> => {
      const diff = await call(upgradeApi.simulate, { id: plan_id }, { quiet: true })
      client.setQueryData([upgradeApi.diff.call, plan_id], diff)
      await again()
      return diff
    },
    sign: async ({ plan_id, plan_hash }: UpgradePlan, password: string) => keep(await call(upgradeApi.sign, { id: plan_id, plan_hash: plan_hash ?? '', recheck_token: await peoplePorts().recheck(password) }, { quiet: true })),
    run: async ({ plan_id, plan_hash }: UpgradePlan, password: string) => {
      await call(upgradeRunApi.run, { plan_id, plan_hash: plan_hash ?? '', recheck_token: await peoplePorts().recheck(password) }, { quiet: true })
      await again()
      refreshTree()
    },
    rollback: async ({ plan_id }: UpgradePlan, { password, reason, skip_conflicts }: { password: string; reason: string; skip_conflicts: boolean }) => {
      const { plan, skipped } = await call(upgradeApi.rollback, { id: plan_id, reason, skip_conflicts, recheck_token: await peoplePorts().recheck(password) }, { quiet: true })
      keep(plan)
      refreshTree()
      return skipped
    },
  }
}
export type Upgrade = ReturnType<typeof useUpgrade>

function isMoving(plan: UpgradePlan | null | undefined): boolean {
  return plan?.state === 'running'
}

/** What the last simulation of a plan found; nothing before the first one. */
export function useDiff(plan: UpgradePlan) {
  return useQuery({ queryKey: [upgradeApi.diff.call, plan.plan_id], queryFn: ({ signal }) => call(upgradeApi.diff, { id: plan.plan_id }, { signal, quiet: true }), enabled: plan.state !== 'draft', retry: false })
}
