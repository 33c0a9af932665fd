import { adapter_facts, providerApi, shape_facts } from '@campus/identity/contract'
import type { ProviderRow } from '@campus/identity/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Recheck } from '../ports.ts'
import { EnableSwitch } from './enable-switch.tsx'
import { ProviderDialogs } from './provider-dialogs.tsx'
import type { Opened } from './provider-dialogs.tsx'
import { matchWord, stateOf, urgentFirst } from './provider-words.ts'
import './provider.css'

/** 登录方式 of 学校信息: who may vouch for people beside their password, whom that has bound, and whether it works. */
export function ProviderTab({ recheck }: { recheck: Recheck }): ReactNode {
  const query = useQuery({ queryKey: [providerApi.list.call], queryFn: ({ signal }) => call(providerApi.list, {}, { signal, quiet: true }) })
  const [opened, setOpened] = useState<Opened>(null)
  const { data } = query
  const lines = data?.list ?? []
  return (
    <section className="provider" aria-label="登录方式" data-ready={data ? 'providers' : query.isError ? 'failed' : undefined}>
      <header>
        <h3>登录方式</h3>
        <p>除账号密码外，本校人员还可以用这里启用的方式登录；第三方仅用于身份认证，权限仍由角色决定，且只能进入本校。</p>
        <Button type="primary" disabled={!data} onClick={() => data && setOpened({ view: 'add', adapters: data.adapters, taken: lines })}>新增登录方式</Button>
      </header>
      {!data && <PartState query={query} rows={6} />}
      {data && lines.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有其他登录方式，全校人员使用账号密码登录" />}
      {lines.length > 0 && <Lines rows={lines} refresh={query.refetch} open={setOpened} />}
      <ProviderDialogs opened={opened} recheck={recheck} close={() => setOpened(null)} refresh={query.refetch} />
    </section>
  )
}

type LinesProps = { rows: readonly ProviderRow[]; refresh: () => Promise<unknown>; open: (opened: Opened) => void }

/** One line a way: what needs a decision stands beside its state. */
function Lines({ rows, refresh, open }: LinesProps): ReactNode {
  return (
    <table className="provider-table">
      <thead><tr>{['名称', '来源', '接入方式', '匹配依据', '状态', '启用', '已绑定', '操作'].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
      <tbody>
        {urgentFirst(rows).map(row => {
          const { word, color } = stateOf(row)
          const name = `${row.label} ${shape_facts[row.shape].name}`
          return (
            <tr key={`${row.shape}/${row.adapter}`}>
              <th scope="row">{row.label}</th>
              <td>{adapter_facts[row.adapter].name}</td>
              <td>{shape_facts[row.shape].name}</td>
              <td>{matchWord(row)}</td>
              <td><Tag color={color}>{word}</Tag>{row.problem !== null && <small className="provider-problem">{row.problem}</small>}</td>
              <td><EnableSwitch row={row} name={name} refresh={refresh} /></td>
              <td className="provider-number">{row.bound > 0 ? <Button type="link" size="small" aria-label={`${row.bound}人已绑定：${name}`} onClick={() => open({ view: 'bound', row })}>{`${row.bound}人`}</Button> : '0人'}</td>
              <td className="provider-actions">
                <Button type="link" size="small" aria-label={`设置 ${name}`} onClick={() => open({ view: 'edit', row })}>设置</Button>
                <Button type="link" size="small" aria-label={`测试登录 ${name}`} onClick={() => open({ view: 'test', row })}>测试登录</Button>
                <Button type="link" size="small" danger aria-label={`删除 ${name}`} onClick={() => open({ view: 'remove', row })}>删除</Button>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
