import { event, id, Instant } from '@kit/contract'
import { z } from 'zod'

const Member = z.object({ role_no: id('identity.role_member'), role_id: id('identity.role'), user_id: id('identity.account') })
const Account = z.object({ user_id: id('identity.account') })

/**
 * What the identity domain tells the others (chapter 90 §3); rights and memberships are read from its views. A membership that begins or ends by
 * its dates tells nothing at that moment.
 */
export const identityEvents = {
  roleChanged: event('identity.role.changed', z.object({ role_id: id('identity.role') })),
  memberStarted: event('identity.member.started', z.object({ members: z.array(Member) })),
  /** memberships that end within seven days; each is told once of each end */
  memberEnding: event('identity.member.ending', z.object({ members: z.array(z.object({ role_no: id('identity.role_member'), role_name: z.string(), user_id: id('identity.account'), user_name: z.string(), last_day: z.string() })) })),
  memberEnded: event('identity.member.ended', z.object({ members: z.array(Member) })),
  accountDisabled: event('identity.account.disabled', Account),
  accountEnabled: event('identity.account.enabled', Account),
  /** too many wrong passwords; told in every school of the account */
  accountLocked: event('identity.account.locked', Account.extend({ until: Instant })),
  /** a super account has come into the school; `user_name`: its number there */
  superEntered: event('identity.super.entered', z.object({ user_name: z.string(), reason: z.string() })),
  /** `by_self` is false where somebody else has reset it */
  passwordChanged: event('identity.password.changed', z.object({ user_ids: z.array(id('identity.account')), by_self: z.boolean() })),
}
