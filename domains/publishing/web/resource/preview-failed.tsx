import { publishingErrors } from '@campus/publishing/contract'
import { Empty } from 'antd'
import type { ReactNode } from 'react'

/** What stands in the place of a document that cannot be shown. */
export function PreviewFailed({ is_kind = false }: { is_kind?: boolean }): ReactNode {
  return <Empty description={is_kind ? publishingErrors.previewUnsupported.msg : publishingErrors.previewFailed.msg} />
}
