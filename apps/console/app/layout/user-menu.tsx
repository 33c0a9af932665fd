import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
import type { MenuItemType } from 'antd/es/menu/interface'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { logoAddress } from '../../login/identity-list.ts'
import { roleGroupsOf } from '../../login/login-flow.ts'
import { signOut } from '../session/session-gate.tsx'
import { useSession } from '../session/session.ts'

const dialogs = {
  identity: lazy(() => import('../account/identity-dialog.tsx').then((part) => ({ default: part.IdentityDialog }))),
  password: lazy(() => import('../account/password-dialog.tsx').then((part) => ({ default: part.PasswordDialog }))),
  devices: lazy(() => import('../account/devices-dialog.tsx').then((part) => ({ default: part.DevicesDialog }))),
  about: lazy(() => import('../account/about-dialog.tsx').then((part) => ({ default: part.AboutDialog }))),
}
type DialogName = keyof typeof dialogs

// A menu that was opened by key is walked by key.
const takes_focus = { autoFocus: true }

const entries: { key: DialogName; label: string }[] = [
  { key: 'password', label: '修改密码' },
  { key: 'devices', label: '登录设备' },
  { key: 'about', label: '关于' },
]

/** Photo and name; 切换身份 only for people with more than one role group (platform rule R6). */
export function UserMenu(): ReactNode {
  const { person, identities } = useSession()
  const [dialog, setDialog] = useState<DialogName>()
  const button = useRef<HTMLButtonElement>(null)
  const show = (key: DialogName): MenuItemType => ({
    key,
    onClick: ({ domEvent }) => {
      // The item is gone with its menu; the button is where the dialog gives the focus back. It must not take the Enter of the item for its own.
      domEvent.preventDefault()
      button.current?.focus()
      setDialog(key)
    },
  })
  const switchable = roleGroupsOf(identities).length > 1
  const items = [
    ...(switchable ? [{ ...show('identity'), label: '切换身份' }] : []),
    ...entries.map(({ key, label }) => ({ ...show(key), label })),
    { type: 'divider' as const },
    { key: 'leave', label: '退出登录', onClick: () => void signOut() },
  ]
  const Dialog = dialog && dialogs[dialog]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight" {...takes_focus}>
        <Button type="text" ref={button} className="app-user" aria-label={`${person.user_name}，账号菜单`}>
          <Photo address={logoAddress(person.user_photo)} />
          <span className="app-user-name">{person.user_name}</span>
          <DownOutlined className="app-user-arrow" />
        </Button>
      </Dropdown>
      <Suspense>{Dialog && <Dialog onClose={() => setDialog(undefined)} />}</Suspense>
    </>
  )
}

function Photo({ address }: { address: string | null }): ReactNode {
  return <span className="app-photo">{address ? <img src={address} alt="" /> : <UserOutlined />}</span>
}
