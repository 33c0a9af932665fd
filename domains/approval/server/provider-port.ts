import type { ApprovalItem } from '@campus/approval/contract'
import { Port } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'

/** Who looks: the request's ctx; the provider types the handle to its own tables. */
export type ApprovalCtx = Ctx<unknown>
type Item = Omit<ApprovalItem, 'source' | 'source_title'>
type Verdict = { item_id: string; action: string; opinion?: string | undefined; version: number }

/**
 * What waits in one domain (chapter 80 P1). The domain keeps the things and their rules: `page` answers those that wait for the caller, longest first,
 * `act` does what the domain's own call does, with its own refusals.
 */
export type ApprovalProvider = {
  /** `leave`, unique in the product */
  code: string
  title: string
  count(ctx: ApprovalCtx): Promise<number>
  page(ctx: ApprovalCtx, limit: number): Promise<Item[]>
  /** @throws Refusal of the owner; 404 for something that is not the caller's, or another action */
  act(ctx: ApprovalCtx, verdict: Verdict): Promise<void>
}

/** Filled by every domain in which something waits for a decision. */
export const providerPort = new Port<ApprovalProvider>('approval.provider')

/** Registers a provider, at start. */
export function registerProvider(app: App, provider: ApprovalProvider): void {
  providerPort.fill(app, provider)
}
