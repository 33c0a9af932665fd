import { educationApi, resourceApi } from '@campus/publishing/contract'
import { Can, PageFrame, usePage } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Checkbox, Empty, Input, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { kinds } from './kinds.ts'
import { ResourceGrid } from './resource-grid.tsx'
import type { Item } from './resource-grid.tsx'
import { useResourceActs } from './use-resource-acts.tsx'
import type { ResourceActs } from './use-resource-acts.tsx'
import './resource.css'

const shown_names = { board: '班牌图片', used: '已发布', unused: '未发布' } as const
const shows: Readonly<Record<string, (row: Item) => boolean>> = {
  board: row => row.is_picture,
  used: row => row.usage_count > 0,
  unused: row => row.usage_count === 0,
}
const none: readonly Item[] = []

/** 教育资源管理: every picture at once, filtered on the page, with the acts of boards (chapter 60 §4.6). */
export default function ResourceManage(): ReactNode {
  const { search, setSearch } = usePage()
  const query = useCall(educationApi.list, {})
  const labels = useCall(resourceApi.labels, {})
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const { keyword = '', show = '', label = '' } = search
  const rows = query.data?.list ?? none
  const items = rows.filter(
    row => row.resource_name.includes(keyword) && (shows[show]?.(row) ?? true) && (label === '' || row.label_ids.includes(label)),
  )
  const chosen = items.filter(row => checked.has(row.id))
  const acts = useResourceActs(kinds.picture, chosen, () => {
    setChecked(new Set())
    void query.refetch()
  })
  const narrow = (patch: Record<string, string | undefined>) =>
    setSearch(Object.fromEntries(Object.entries({ ...search, ...patch }).flatMap(([name, value]) => (value ? [[name, value]] : []))))
  const is_all = items.length > 0 && chosen.length === items.length
  return (
    <PageFrame ready={query.data ? 'page' : query.error ? 'failed' : undefined} actions={<Toolbar acts={acts} />}>
      <div className="res-page">
        <div className="res-bar">
          <Checkbox
            checked={is_all}
            indeterminate={chosen.length > 0 && !is_all}
            onChange={() => setChecked(new Set(is_all ? [] : items.map(row => row.id)))}
          >
            全选
          </Checkbox>
          <Input.Search
            className="res-search"
            allowClear
            defaultValue={keyword}
            placeholder="图片名称"
            aria-label="图片名称"
            onSearch={text => narrow({ keyword: text })}
          />
          <Select
            aria-label="范围"
            allowClear
            placeholder="全部"
            value={show === '' ? null : show}
            onChange={value => narrow({ show: value ?? '' })}
            options={Object.entries(shown_names).map(([value, text]) => ({ value, label: text }))}
            style={{ width: 120 }}
          />
          <Select
            aria-label="标签"
            allowClear
            placeholder="标签"
            value={label === '' ? null : label}
            onChange={value => narrow({ label: value ?? '' })}
            options={(labels.data?.list ?? []).map(one => ({ value: one.id, label: `${one.name}（${one.items}）` }))}
            style={{ width: 140 }}
          />
          <span className="res-bar-count">
            共 {items.length} 张{chosen.length > 0 && `，已选 ${chosen.length} 张`}
          </span>
        </div>
        <Loaded query={query} empty="还没有图片：点“上传”添加">
          {() =>
            items.length === 0 ? (
              <Empty description="没有符合条件的图片" />
            ) : (
              <ResourceGrid items={items} selected={checked} onSelect={setChecked} label="教育资源图片" />
            )
          }
        </Loaded>
      </div>
      {acts.dialog}
    </PageFrame>
  )
}

function Toolbar({ acts }: { acts: ResourceActs }): ReactNode {
  return (
    <>
      <Can code={resourceApi.add}>
        <Button type="primary" onClick={acts.upload}>
          上传
        </Button>
      </Can>
      <Button onClick={acts.download}>下载</Button>
      <Can code={educationApi.rename}>
        <Button onClick={acts.rename}>重命名</Button>
        <Button onClick={acts.replace}>替换</Button>
        <Button onClick={acts.mark}>设为班牌图片</Button>
        <Button onClick={acts.unmark}>取消班牌图片</Button>
        <Button onClick={acts.label}>标签</Button>
      </Can>
      <Can code={educationApi.publish}>
        <Button onClick={acts.publish}>发布</Button>
        <Button onClick={acts.unpublish}>取消发布</Button>
      </Can>
      <Can code={educationApi.remove}>
        <Button danger onClick={acts.remove}>
          删除
        </Button>
      </Can>
    </>
  )
}
