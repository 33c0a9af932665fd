import { page_sizes } from '@kit/contract'
import { Pagination as AntdPagination, Select } from 'antd'
import type { ReactNode } from 'react'
import type { ResourceList } from './use-resource-list.ts'

const options = page_sizes.map((size) => ({ value: size, label: `${size} 条/页` }))

/** Sizes, prev, pager, next, jumper; the first row stays in view when the size changes. */
export function Pagination<Row>({ of }: { of: ResourceList<Row> }): ReactNode {
  const resize = (size: number) => of.goTo(Math.floor(((of.page_index - 1) * of.page_size) / size) + 1, size)
  return (
    <nav className="kit-pagination" aria-label="分页">
      <Select<number> size="small" aria-label="每页条数" options={options} value={of.page_size} onChange={resize} popupMatchSelectWidth={false} />
      <AntdPagination
        size="small"
        current={of.page_index}
        pageSize={of.page_size}
        total={of.total}
        showSizeChanger={false}
        showQuickJumper
        onChange={(index) => of.goTo(index, of.page_size)}
      />
    </nav>
  )
}
