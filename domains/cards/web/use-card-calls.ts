import { cardApi, cloudCardApi } from '@campus/cards/contract'
import { cloudFeeApi } from '@campus/identity/contract'
import { readStored } from '@kit/web'
import { useCall } from '@kit/web/part'

/** The acts on cards of this school: through the payment service where it is on (chapter 40 rule 17). */
export function useCardCalls(): Pick<typeof cardApi, 'issue' | 'loss' | 'cancelLoss' | 'reissue' | 'reissueFast' | 'revoke'> | typeof cloudCardApi {
  const { data } = useCall(cloudFeeApi.enable, { school_id: Number(readStored('school_id') ?? 0) })
  return data?.enable === 1 ? cloudCardApi : cardApi
}
