/** What a change of permissions comes to: 新增1项权限，收回2项权限. */
export function changeText({ grant, revoke }: { grant: readonly unknown[]; revoke: readonly unknown[] }): string {
  const added = grant.length > 0 ? `新增${grant.length}项权限` : ''
  const taken = revoke.length > 0 ? `收回${revoke.length}项权限` : ''
  return [added, taken].filter(text => text !== '').join('，')
}
