import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

/** What could not be read, and why; 重试 reads it again. */
export function LoadFailed({ text, again }: { text: string; again: () => void }): ReactNode {
  return <Alert type="error" showIcon title={text} action={<Button onClick={again}>重试</Button>} />
}
