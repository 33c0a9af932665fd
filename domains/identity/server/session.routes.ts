import { sessionApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { recheckPassword, setOwnPassword } from './own-password.service.ts'
import { endOwnSession, isDefaultPassword, listOwnRoles, listOwnSessions, revokeOwnSession } from './own-session.service.ts'
import { dropRefreshCookie } from './session.service.ts'
import { listRoleGroups, listUserCards } from './user-card.queries.ts'

export const sessionRoutes = implement(sessionApi, {
  logout: {
    before: async pre => {
      dropRefreshCookie(pre)
      return ctx => endOwnSession(ctx)
    },
  },
  mine: { outside: pre => listOwnSessions(pre) },
  revoke: { outside: (pre, { session_id }) => revokeOwnSession(pre, session_id) },
  modifyPassword: { outside: (pre, body) => setOwnPassword(pre, body) },
  isDefault: ctx => isDefaultPassword(ctx),
  checkSelfPassword: { outside: (pre, body) => recheckPassword(pre, body) },
  roles: { outside: pre => listOwnRoles(pre) },
  roleGroups: ctx => listRoleGroups(ctx),
  cards: (ctx, { user_ids }) => listUserCards(ctx, user_ids),
})
