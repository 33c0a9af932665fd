import { CusBoard } from '@campus/insight/web'
import { useCallback } from 'react'
import type { ReactNode } from 'react'
import { useCardViews } from '../cards.ts'
import { useSession } from '../session/session.ts'
import { product_version } from '../version.ts'

/** 自定义看板 over the cards of every domain. */
export default function CusDashboardPage(): ReactNode {
  const { paths } = useSession()
  const mayOpen = useCallback((address: string) => paths.has(address.split('?')[0] ?? ''), [paths])
  return <CusBoard views={useCardViews()} version={product_version} mayOpen={mayOpen} />
}
