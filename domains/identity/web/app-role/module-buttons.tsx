import { appModuleName } from '@campus/identity/contract'
import type { AppModuleCode } from '@campus/identity/contract'
import { ArrowDownOutlined, ArrowUpOutlined, CloseOutlined, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { placedAt, turned, without } from './arrange.ts'
import type { Arrangement } from './arrange.ts'

type Props = { at: number; code: AppModuleCode; all: Arrangement; visible: boolean; can_hide: boolean; put: (next: Arrangement, code: AppModuleCode) => void }

/** What the mouse can do with a shown module; by keys the line itself does the same. */
export function ModuleButtons({ at, code, all, visible, can_hide, put }: Props): ReactNode {
  const name = appModuleName(code)
  const shared = { type: 'text', size: 'small' } as const
  return (
    <>
      <Button {...shared} disabled={at === 0} icon={<ArrowUpOutlined aria-hidden />} aria-label={`上移 ${name}`} onClick={() => put(placedAt(all, code, at - 1), code)} />
      <Button {...shared} disabled={at === all.length - 1} icon={<ArrowDownOutlined aria-hidden />} aria-label={`下移 ${name}`} onClick={() => put(placedAt(all, code, at + 1), code)} />
      {can_hide && <Button {...shared} icon={visible ? <EyeOutlined aria-hidden /> : <EyeInvisibleOutlined aria-hidden />} aria-label={`${visible ? '隐藏' : '显示'} ${name}`} onClick={() => put(turned(all, code), code)} />}
      <Button {...shared} icon={<CloseOutlined aria-hidden />} aria-label={`移出 ${name}`} onClick={() => put(without(all, code), code)} />
    </>
  )
}
