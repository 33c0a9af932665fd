import { approvalApi, most_items } from '@campus/approval/contract'
import type { ApprovalItem } from '@campus/approval/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { implementFor } from '@kit/server/http'
import { providerPort } from './provider-port.ts'
import type { ApprovalCtx } from './provider-port.ts'

/** What waits for the caller in all domains, the one that waits longest first. */
async function listItems(ctx: ApprovalCtx, { source }: Input<typeof approvalApi.list>): Promise<Reply<typeof approvalApi.list>> {
  ctx.scoped()
  const sources: Reply<typeof approvalApi.list>['sources'] = []
  const items: ApprovalItem[] = []
  for (const provider of providerPort.all(ctx.app)) {
    const { code, title } = provider
    sources.push({ code, title, count: await provider.count(ctx) })
    if (source !== undefined && source !== code) continue
    for (const item of await provider.page(ctx, most_items)) items.push({ source: code, source_title: title, ...item })
  }
  return { list: items.toSorted((one, other) => one.since.localeCompare(other.since)), sources }
}

async function countItems(ctx: ApprovalCtx): Promise<Reply<typeof approvalApi.count>> {
  ctx.scoped()
  let count = 0
  for (const provider of providerPort.all(ctx.app)) count += await provider.count(ctx)
  return { count }
}

/** Decides through the owner. @throws Refusal of the owner; 404 for an unknown source */
async function actOn(ctx: ApprovalCtx, { source, ...verdict }: Input<typeof approvalApi.act>): Promise<Record<string, never>> {
  const provider = providerPort.all(ctx.app).find(one => one.code === source)
  ctx.scoped()
  if (!provider) throw fail(commonErrors.notFound)
  await provider.act(ctx, verdict)
  return {}
}

const implement = implementFor<unknown>()

export const approvalItemRoutes = implement(approvalApi, {
  list: (ctx, query) => listItems(ctx, query),
  count: ctx => countItems(ctx),
  act: (ctx, verdict) => actOn(ctx, verdict),
})
