import { BusBoard } from '@campus/insight/web'
import type { ReactNode } from 'react'
import { useCardViews } from '../cards.ts'
import { product_version } from '../version.ts'

/** 校车数据看板 over the cards of every domain. */
export default function BusDashboardPage(): ReactNode {
  return <BusBoard views={useCardViews()} version={product_version} />
}
