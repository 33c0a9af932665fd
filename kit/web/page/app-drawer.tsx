import { Drawer } from 'antd'
import type { DrawerProps } from 'antd'
import type { ReactNode } from 'react'
import { useFirstFocus } from './first-focus.ts'
import { useFocusReturn } from './focus-return.ts'
import { usePage } from './page-context.ts'
import { useShown } from './use-shown.ts'

/** The drawer of pages: gone while its page is hidden, as every dialog of a page; the focus comes back when it goes. For lazy parts: its code is not small. */
export function AppDrawer({ open = true, rootClassName, ...drawer }: DrawerProps): ReactNode {
  const { active } = usePage()
  const shown = useShown(open && active)
  useFocusReturn(shown)
  const panel = useFirstFocus(shown)
  return <Drawer {...drawer} rootClassName={[rootClassName, panel].filter(Boolean).join(' ')} open={shown} />
}
