import { ruleApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { call, Can, sentenceOf, toast } from '@kit/web'
import { Button } from 'antd'
import type { ReactNode } from 'react'

type Synced = { changed: number; blocked: number; offline: number }

/** Pushes the rules of chosen devices anew, nothing else. */
export function SyncRules({ chosen, onDone }: { chosen: readonly Device[]; onDone: () => void }): ReactNode {
  const sync = async () => {
    try {
      const { list } = await call(ruleApi.sync, { device_ids: chosen.map(row => row.device_id) }, { quiet: true })
      toast.success(syncedText(list))
      onDone()
    } catch (cause) {
      toast.error(sentenceOf(cause))
    }
  }
  return <Can code={ruleApi.sync}><Button onClick={() => void sync()}>规则同步</Button></Can>
}

/** What it came to, in words. */
function syncedText(list: readonly Synced[]): string {
  const count = (of: keyof Synced) => list.filter(one => one[of] > 0).length
  const parts = [`${count('changed')}台有变化`, `${list.length - count('changed')}台无变化`, ...(count('offline') > 0 ? [`其中${count('offline')}台离线，恢复后生效`] : []), ...(count('blocked') > 0 ? [`${count('blocked')}台有不支持的规则`] : [])]
  return `规则已同步：${parts.join('，')}`
}
