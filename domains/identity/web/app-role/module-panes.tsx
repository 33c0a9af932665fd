import { appModuleName } from '@campus/identity/contract'
import type { AppModuleCode } from '@campus/identity/contract'
import { Tag } from 'antd'
import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { placedAt, without } from './arrange.ts'
import type { Arrangement } from './arrange.ts'
import { ModuleButtons } from './module-buttons.tsx'
import { ModuleIcon } from './module-icon.tsx'
import { useDragPanes } from './use-drag-panes.ts'

type Props = {
  offered: readonly AppModuleCode[]
  all: Arrangement
  arrange: (all: Arrangement) => void
  locked: boolean
  /** modules can be hidden at their place */
  can_hide: boolean
}

/** Two lists: what may be shown and what is, in order. Dragged with the mouse; by keys ↑ ↓ walk, Alt+↑ ↓ move, Enter puts in, Delete takes out. */
export function ModulePanes({ offered, all, arrange, locked, can_hide }: Props): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  const panes = useDragPanes((code, pane, at) => arrange(pane === 'shown' ? placedAt(all, code, at) : without(all, code)))
  const free = offered.filter(code => !all.some(({ module_code }) => module_code === code))
  /** The focus stays with the module, wherever it has gone. */
  const put = (next: Arrangement, code: AppModuleCode) => {
    arrange(next)
    window.requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-module="${code}"] > button`)?.focus())
  }
  return (
    <div ref={root}>
      <div className="app-role-panes" ref={panes}>
        <section aria-label="可选模块" data-pane="free">
          <h3>可选模块 <small>{free.length}</small></h3>
          <ul>
            {free.map(code => (
              <li key={code} data-module={code} draggable={!locked}>
                <ModuleLine code={code} label={locked ? appModuleName(code) : `加入 ${appModuleName(code)}`} act={locked ? undefined : () => put(placedAt(all, code, all.length), code)} keys={{}} />
              </li>
            ))}
          </ul>
          {free.length === 0 && <p className="role-small">全部模块都已加入</p>}
        </section>
        <section aria-label="已展示模块" data-pane="shown">
          <h3>已展示模块 <small>{all.length}</small></h3>
          <ol>
            {all.map(({ module_code: code, visible }, at) => (
              <li key={code} data-module={code} draggable={!locked} data-hidden={!visible || undefined}>
                <ModuleLine
                  code={code} label={`第${at + 1} ${appModuleName(code)}${visible ? '' : '，已隐藏'}`}
                  keys={locked ? {} : { AltArrowUp: () => put(placedAt(all, code, at - 1), code), AltArrowDown: () => put(placedAt(all, code, at + 1), code), Delete: () => put(without(all, code), code) }}
                />
                {!offered.includes(code) && <Tag color="orange">未开通</Tag>}
                {!locked && <ModuleButtons at={at} code={code} all={all} visible={visible} can_hide={can_hide} put={put} />}
              </li>
            ))}
          </ol>
          {all.length === 0 && <p className="role-small">还没有模块，点击左侧的模块加入</p>}
        </section>
      </div>
    </div>
  )
}

type LineProps = { code: AppModuleCode; label: string; act?: () => void; keys: Readonly<Record<string, () => void>> }

/** One stop of Tab per line; the arrows walk on from it. */
function ModuleLine({ code, label, act, keys }: LineProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const act_of_key = keys[event.altKey ? `Alt${event.key}` : event.key]
    const line = event.currentTarget.parentElement
    const beside = { ArrowUp: line?.previousElementSibling, ArrowDown: line?.nextElementSibling }[event.key]
    if (!act_of_key && !beside) return
    event.preventDefault()
    if (act_of_key) act_of_key()
    else beside?.querySelector('button')?.focus()
  }
  return <button type="button" className="app-role-module" aria-label={label} onClick={act} onKeyDown={onKeyDown}><ModuleIcon code={code} /><span>{appModuleName(code)}</span></button>
}
