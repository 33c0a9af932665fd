import { Button } from 'antd'
import { Component } from 'react'
import type { ReactNode } from 'react'
import { kitPorts } from '../ports.ts'
import { errorHash } from './error-hash.ts'
import { usePage } from './page-context.ts'

/** Keeps an uncaught error of a section to the section: 该区域加载失败 with 重试, and a report without personal data. */
export function PageBoundary({ children, version }: { children: ReactNode; version: string }): ReactNode {
  const { path } = usePage()
  return (
    <Boundary route={path} version={version}>
      {children}
    </Boundary>
  )
}

type Props = { route: string; version: string; children: ReactNode }

class Boundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(error: Error): void {
    const { route, version } = this.props
    kitPorts()
      .reportError({ route, name: error.name.slice(0, 100), hash: errorHash(error), version })
      .catch(() => undefined)
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    return (
      <div className="kit-failed" role="alert" data-ready="failed">
        <p>该区域加载失败</p>
        <Button onClick={() => this.setState({ failed: false })}>重试</Button>
      </div>
    )
  }
}
