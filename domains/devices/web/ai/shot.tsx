import type { ReactNode } from 'react'

/** A picture of a warning; what has not come says so. */
export function Shot({ url, alt, className = '' }: { url: string | null | undefined; alt: string; className?: string }): ReactNode {
  return <span className={`ai-shot ${className}`}>{url ? <img src={url} alt={alt} loading="lazy" /> : url === null ? '图片传输中' : '无图片'}</span>
}
