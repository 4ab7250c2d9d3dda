import { signAddress } from '@marquee/client/pictures'
import { useQueries, useQuery } from '@tanstack/react-query'
import { usePermission, useProject } from '../../session/use-project.ts'
import { addressOf, type Wish } from './variant.ts'

/** How sizes of images may be asked for. */
interface Signing {
  /** What can be had without a signature; undefined where any size can. */
  widths: readonly number[] | undefined
  /** What others are signed by. */
  secret: string | undefined
  /** Whether only those widths can be offered. */
  isLimited: boolean
}

/** Where sizes have to be signed, whoever may read the project's secret signs them here, as their app would. */
export function useSigning(): Signing {
  const { projectId, project, client } = useProject()
  const may = usePermission()
  const widths = project?.unsigned_widths
  // Browsers sign on pages that came by HTTPS or from this machine.
  const canSign = may('images:write') && isSecureContext
  const { data, isError } = useQuery({
    queryKey: [projectId, 'signing-secret'],
    queryFn: ({ signal }) => client.get('/images/signing-secret', { signal }),
    enabled: widths !== undefined && canSign,
  })
  return { widths, secret: data?.secret, isLimited: widths !== undefined && (!canSign || isError) }
}

/** What can be had of a wish. */
export function withinLimits(wish: Wish, { widths, isLimited }: Signing): Wish {
  if (!isLimited) return wish
  const { w, format } = wish
  return { w: w !== undefined && widths?.includes(w) ? w : undefined, format }
}

/** The addresses that answer these wishes; undefined until they are signed. */
export function useAddresses(url: string, wishes: readonly Wish[], signing: Signing): (string | undefined)[] {
  const { secret } = signing
  const asked = wishes.map((wish) => ({
    address: addressOf(url, wish),
    needsOne: needsSignature(wish, signing),
  }))
  const signed = useQueries({
    queries: asked.map(({ address, needsOne }) => ({
      queryKey: ['signed', address, secret],
      queryFn: () => signAddress(address, secret ?? ''),
      enabled: needsOne && secret !== undefined,
      staleTime: Infinity,
    })),
  })
  return asked.map(({ address, needsOne }, i) => (needsOne ? signed[i]?.data : address))
}

function needsSignature({ format: _, w, ...rest }: Wish, { widths }: Signing): boolean {
  if (!widths) return false
  return Object.values(rest).some((value) => value !== undefined) || (w !== undefined && !widths.includes(w))
}
