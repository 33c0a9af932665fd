import { integrityApi } from '@campus/audit/contract'
import { SafetyCertificateOutlined, WarningOutlined } from '@ant-design/icons'
import { call, downloadFile, instantText, schoolToday, useCan, usePage } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Popover, Tag } from 'antd'
import type { ReactNode } from 'react'
import type { Days } from './log-search.ts'

const look_ms = 60_000

/** 日志完整性: how far the journals were compared with their seals, or that something is not as it was sealed. */
export function IntegrityPill({ days }: { days: Days }): ReactNode {
  const { active } = usePage()
  const may_see = useCan(integrityApi.state)
  const { data } = useQuery({ queryKey: [integrityApi.state.call], queryFn: ({ signal }) => call(integrityApi.state, {}, { signal, quiet: true }), enabled: active && may_see, refetchInterval: look_ms })
  if (!data) return null
  const text = data.broken ? '异常' : checkedText(data.checked_until)
  return (
    <Popover trigger="click" placement="bottomRight" title="日志完整性" content={<Explained broken={data.broken} fingerprint={data.fingerprint} days={days} />}>
      <button type="button" className="audit-pill">
        <Tag color={pillColor(data)} icon={data.broken ? <WarningOutlined aria-hidden /> : <SafetyCertificateOutlined aria-hidden />}>日志完整性：{text}</Tag>
      </button>
    </Popover>
  )
}

function pillColor({ broken, checked_until }: { broken: unknown; checked_until: string | null }): string {
  if (broken) return 'red'
  return checked_until === null ? 'default' : 'green'
}

function checkedText(checked_until: string | null): string {
  if (checked_until === null) return '尚未校验'
  const text = instantText(checked_until)
  return `已校验至 ${text.startsWith(schoolToday()) ? text.slice(11) : text}`
}

function Explained({ broken, fingerprint, days }: { broken: { found_at: string; count: number } | null; fingerprint: string; days: Days }): ReactNode {
  const may_take = useCan(integrityApi.seals)
  return (
    <div className="audit-explained">
      {broken ? (
        <p className="kit-bad">{instantText(broken.found_at)} 发现 {broken.count} 处与封存内容不一致，请系统管理员在服务器上运行 audit-verify 查明是哪些记录。</p>
      ) : (
        <p>每 5 分钟把新日志封存为一条哈希链，并与已封存内容比对；修改、删除、插入或调换任何一条都会被发现。</p>
      )}
      <p>签名公钥指纹：<code>{fingerprint}</code></p>
      {may_take && <Button size="small" onClick={() => void downloadFile(integrityApi.seals, days)}>下载封存文件</Button>}
    </div>
  )
}
