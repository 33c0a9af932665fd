import type { App } from '@kit/server/http'

/** The whole address of a page of the product; null without a link, or as long as the operator has not said where the product stands. */
export function pageOf({ config }: App, link: string | null): string | null {
  const { CAMPUS_PUBLIC_URL } = config
  return link === null || !CAMPUS_PUBLIC_URL ? null : `${CAMPUS_PUBLIC_URL.replace(/\/+$/, '')}${link}`
}
