import type { Verdict } from './verdict.ts'

/** A permission marker names at least one code; the sentence is for developers and is thrown, not shown (platform rule R11). */
export function checkMarker(codes: string | readonly string[] | undefined): Verdict {
  const list = typeof codes === 'string' ? [codes] : codes ?? []
  return list.length > 0 && list.every((code) => code !== '') ? null : '必须指定权限标识，例如 code="school.info.edit"'
}
