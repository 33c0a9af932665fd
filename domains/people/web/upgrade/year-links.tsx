import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import { useCan } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { GraduateDrawer } from './graduate-drawer.tsx'

/** 毕业班级 and 学年升级, beside the board of the school. */
export function YearLinks(): ReactNode {
  const [open, setOpen] = useState(false)
  const sees = useCan(upgradeRunApi.graduates)
  const plans = useCan(upgradeApi.current)
  return (
    <>
      {sees && <Button onClick={() => setOpen(true)}>毕业班级</Button>}
      {plans && <Link to="/UpgradeClass" className="kit-link">学年升级</Link>}
      {open && <GraduateDrawer onClose={() => setOpen(false)} />}
    </>
  )
}
