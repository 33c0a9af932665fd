import { checkRoleChoice } from '@kit/contract/checks'
import { logoAddress } from './identity-list.ts'
import { SchoolLogo } from './school-logo.tsx'
import type { RoleEntry } from './wire.ts'

type Props = { entry: RoleEntry; checked: boolean; is_last: boolean; onSelect: (entry: RoleEntry) => void }

/** One identity of the list; one that is blocked on the web cannot be chosen and shows its sentence. */
export function IdentityOption({ entry, checked, is_last, onSelect }: Props) {
  const refusal = checkRoleChoice(entry)
  return (
    <label className="identity" data-blocked={refusal !== null}>
      <input type="radio" name="identity" checked={checked} disabled={refusal !== null} onChange={() => onSelect(entry)} />
      <SchoolLogo address={logoAddress(entry.school_logo)} name={entry.school_name} />
      <span className="identity-text">
        <span className="identity-role">
          <b>{entry.name}</b>
          {is_last && <span className="identity-last">上次使用</span>}
        </span>
        <span className="identity-place">{entry.school_name}{entry.user_dep_name && ` · ${entry.user_dep_name}`}</span>
        {refusal && <span className="identity-refusal">{refusal}</span>}
      </span>
    </label>
  )
}
