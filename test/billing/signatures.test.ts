import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { composeForTest, type InProcess } from '../support/in-process.ts'
import {
  deliver,
  PROVIDERS,
  type Signed,
  STANDARD_SECRET,
  STRIPE_SECRET,
  seconds,
  standardByHand,
  standardEvent,
  standardSigned,
  stripeByHand,
  stripeEvent,
  stripeSigned,
} from '../support/webhooks.ts'
import { addTenant } from '../support/world.ts'

const REFUSED = { status: 400, body: { code: 400, error: 'Bad Request', details: expect.any(String) } }
const RECEIVED = { status: 200, body: { status: 'received' } }
const DUPLICATE = { status: 200, body: { status: 'duplicate' } }
const OTHER_SECRET = `whsec_${Buffer.from('somebody else signs with this one').toString('base64')}`

async function storedIn({ sql }: InProcess) {
  return sql<{ id: string; body: Buffer }[]>`select id, body from billing_events order by received_at, id`
}

test('by the libraries of the providers: received once, a duplicate from then on', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const { orgId } = await addTenant(service, 'acme', 'free')
  const first = standardSigned(standardEvent('subscription.created', { org_id: orgId, plan: 'pro' }))
  expect(await deliver(service.url, first)).toMatchObject(RECEIVED)
  expect(await deliver(service.url, first)).toMatchObject(DUPLICATE)
  // As a provider tries again: the same id, signed anew for another time.
  const again = standardSigned(String(first.body), { id: first.headers['webhook-id'], at: seconds() + 5 })
  expect(await deliver(service.url, again)).toMatchObject(DUPLICATE)

  const stripe = stripeSigned(stripeEvent('customer.created', { id: 'cus_1' }, { id: 'evt_1' }))
  expect(await deliver(service.url, stripe, { provider: 'stripe' })).toMatchObject(RECEIVED)
  expect(await deliver(service.url, stripe, { provider: 'stripe' })).toMatchObject(DUPLICATE)
  expect(await storedIn(service)).toHaveLength(2)
})

test('by hand, as the specifications say, with bytes that no serializer would write', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const odd = [
    '{ "type" :\t"x", "a":1.0, "b": 1e2,\r\n "a": "é\\u00e9😀\\ud83d\\ude00 \\/" }\n\n',
    `${' '.repeat(1000)}{"type":"x"}`,
    '{"z":"\\u0000","id":"in the body"}',
  ]
  for (const [i, body] of odd.entries()) {
    const [id, at] = [`by-hand-${i}`, seconds()]
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-signature': standardByHand(body, id, at),
    }
    expect(await deliver(service.url, { body, headers }), body).toMatchObject(RECEIVED)
  }
  const stripeBody = '{"id":"evt_by_hand",\n  "object": "event","type":"x" , "created":1}\n'
  const at = seconds()
  const header = `t=${at},v1=${stripeByHand(stripeBody, at)},v0=old`
  const stripe = { body: stripeBody, headers: { 'stripe-signature': header } }
  expect(await deliver(service.url, stripe, { provider: 'stripe' })).toMatchObject(RECEIVED)
  const kept = (await storedIn(service)).map(({ body }) => body.toString())
  expect(kept).toEqual([...odd, stripeBody])
})

test('the vectors of the public specifications hold for the same libraries', async () => {
  // The example of the Standard Webhooks specification and its reference implementations.
  const { Webhook } = await import('standardwebhooks')
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const [id, at, body] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}']
  const stated = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='
  expect(new Webhook(secret).sign(id, new Date(at * 1000), body)).toBe(stated)
  expect(standardByHand(body, id, at, secret)).toBe(stated)
})

test('packed: the signature is over what is inside', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const body = '{"type":"x",   "packed": true }\n'
  const { headers } = standardSigned(body, { id: 'packed' })
  const packed = { headers, body: new Uint8Array(gzipSync(body)) }
  const gzip = { more: { 'content-encoding': 'gzip' } }
  expect(await deliver(service.url, packed)).toMatchObject(REFUSED)
  expect(await deliver(service.url, { headers, body }, gzip)).toMatchObject(REFUSED)
  expect(await deliver(service.url, packed, gzip)).toMatchObject(RECEIVED)
  expect((await storedIn(service)).map(({ body: kept }) => kept.toString())).toEqual([body])
  const brotli = { more: { 'content-encoding': 'br' } }
  expect((await deliver(service.url, packed, brotli)).status).toBe(415)

  const large = JSON.stringify({ type: 'x', text: ' '.repeat(2 ** 20) })
  const bomb = { headers: standardSigned(large).headers, body: new Uint8Array(gzipSync(large)) }
  expect((await deliver(service.url, bomb, gzip)).body).toEqual({
    code: 413,
    error: 'Payload Too Large',
    details: 'body: at most 1 MiB, unpacked too',
  })
})

test('a body of 1 MiB is taken, one byte more is 413', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const body = (size: number) => {
    const frame = JSON.stringify({ type: 'x', text: '' })
    return frame.replace('""', `"${'y'.repeat(size - frame.length)}"`)
  }
  expect(await deliver(service.url, standardSigned(body(2 ** 20)))).toMatchObject(RECEIVED)
  expect((await deliver(service.url, standardSigned(body(2 ** 20 + 1)))).body).toEqual({
    code: 413,
    error: 'Payload Too Large',
  })
  expect(await storedIn(service)).toHaveLength(1)
})

test('an unknown provider is 404; the type that is said of the body does not matter', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  const body = '{"type":"x"}'
  for (const provider of ['paypal', 'Payments', 'constructor', '%00', 'payments%2F'])
    expect((await deliver(service.url, standardSigned(body), { provider })).body, provider).toMatchObject({
      code: 404,
      error: 'Not Found',
    })
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8'])
    expect(
      await deliver(service.url, standardSigned(body), { more: { 'content-type': type } }),
      type,
    ).toMatchObject(RECEIVED)
  const bytes = new Uint8Array(Buffer.from(body))
  const untyped = await fetch(`${service.url}/billing/webhooks/payments`, {
    method: 'POST',
    headers: standardSigned(body).headers,
    body: bytes,
  })
  expect(untyped.status).toBe(200)
  const get = await fetch(`${service.url}/billing/webhooks/payments`)
  expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
})

const BODY = standardEvent('subscription.updated', { a: 1, b: '<é>' })

const WRONG_STANDARD: Record<string, () => Signed> = {
  'of another body': () => ({ ...standardSigned(BODY), body: BODY.replace('1', '2') }),
  're-serialised': () => ({ ...standardSigned(BODY), body: JSON.stringify(JSON.parse(BODY), null, 1) }),
  'with a newline more': () => ({ ...standardSigned(BODY), body: `${BODY}\n` }),
  'of another id': () => changed(standardSigned(BODY), 'webhook-id', 'msg_other'),
  'of another time': () => changed(standardSigned(BODY), 'webhook-timestamp', String(seconds() - 10)),
  'by another secret': () => standardSigned(BODY, { secret: OTHER_SECRET }),
  'too old': () => standardSigned(BODY, { at: seconds() - 302 }),
  'too far ahead': () => standardSigned(BODY, { at: seconds() + 305 }),
  'without a signature': () => without(standardSigned(BODY), 'webhook-signature'),
  'without a time': () => without(standardSigned(BODY), 'webhook-timestamp'),
  'without an id': () => without(standardSigned(BODY), 'webhook-id'),
  'without any header': () => ({ body: BODY, headers: {} }),
  'with an empty signature': () => changed(standardSigned(BODY), 'webhook-signature', ''),
  'cut short': () => edited(standardSigned(BODY), (text) => text.slice(0, -1)),
  'of another version': () => edited(standardSigned(BODY), (text) => text.replace('v1,', 'v2,')),
  'with a time that is none': () => changed(standardSigned(BODY), 'webhook-timestamp', 'now'),
  'in Stripe’s scheme': () => stripeSigned(BODY),
  'with an id that is too long': () => standardSigned(BODY, { id: 'x'.repeat(256) }),
  'right, of no JSON': () => standardSigned('nonsense'),
  'right, of nothing': () => standardSigned(''),
  'right, of a list': () => standardSigned('[{}]'),
  'right, of null': () => standardSigned('null'),
  'right, of a text': () => standardSigned('"{}"'),
  'right, of two objects': () => standardSigned('{}{}'),
  'right, of bytes that are no text': () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    const at = seconds()
    return {
      body: new Uint8Array(bytes),
      headers: {
        'webhook-id': 'x',
        'webhook-timestamp': String(at),
        'webhook-signature': standardByHand(bytes, 'x', at),
      },
    }
  },
}

const STRIPE_BODY = stripeEvent('invoice.paid', { a: '<é>' })

const WRONG_STRIPE: Record<string, () => Signed> = {
  'of another body': () => ({ ...stripeSigned(STRIPE_BODY), body: STRIPE_BODY.replace('é', 'e') }),
  're-serialised': () => ({
    ...stripeSigned(STRIPE_BODY),
    body: JSON.stringify(JSON.parse(STRIPE_BODY), null, 2),
  }),
  'by another secret': () => stripeSigned(STRIPE_BODY, { secret: 'whsec_another' }),
  'too old': () => stripeSigned(STRIPE_BODY, { at: seconds() - 302 }),
  'too far ahead': () => stripeSigned(STRIPE_BODY, { at: seconds() + 305 }),
  'without a header': () => ({ body: STRIPE_BODY, headers: {} }),
  'with an empty header': () => ({ body: STRIPE_BODY, headers: { 'stripe-signature': '' } }),
  'without a time': () => editedStripe((text) => text.replace(/^t=\d+,/, '')),
  'with a second time': () => editedStripe((text) => `t=${seconds() - 9},${text}`),
  'with a time that is none': () => editedStripe((text) => text.replace(/^t=\d+/, 't=NaN')),
  'of another version': () => editedStripe((text) => text.replace('v1=', 'v0=')),
  'in the other scheme': () => standardSigned(STRIPE_BODY),
  'right, of an object without an id': () => stripeSigned('{"object":"event","type":"invoice.paid"}'),
  'right, of a list': () => stripeSigned('[]'),
  'right, of no JSON': () => stripeSigned('{'),
}

test('whatever is not signed as it should be is refused and leaves nothing', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  for (const [what, signed] of Object.entries(WRONG_STANDARD))
    expect(await deliver(service.url, signed()), `standard, ${what}`).toMatchObject(REFUSED)
  for (const [what, signed] of Object.entries(WRONG_STRIPE))
    expect(await deliver(service.url, signed(), { provider: 'stripe' }), `stripe, ${what}`).toMatchObject(
      REFUSED,
    )
  expect(await storedIn(service)).toEqual([])
})

test('almost five minutes either way are taken', async () => {
  const service = await composeForTest({ env: PROVIDERS })
  for (const offset of [-280, 280]) {
    const at = seconds() + offset
    expect(await deliver(service.url, standardSigned(BODY, { at }))).toMatchObject(RECEIVED)
    const stripe = stripeSigned(stripeEvent('x', {}), { at })
    expect(await deliver(service.url, stripe, { provider: 'stripe' })).toMatchObject(RECEIVED)
  }
})

test('while secrets change over: either signs, and of two signatures one is enough', async () => {
  const second = 'whsec_stripe_will_use_this_next'
  const env = {
    ...PROVIDERS,
    MARQUEE_BILLING_SECRETS: `payments=${OTHER_SECRET},payments=${STANDARD_SECRET},stripe=${STRIPE_SECRET},stripe=${second}`,
  }
  const service = await composeForTest({ env })
  for (const secret of [OTHER_SECRET, STANDARD_SECRET])
    expect(await deliver(service.url, standardSigned(BODY, { secret }))).toMatchObject(RECEIVED)
  const both = standardSigned(BODY, { id: 'both' })
  const wrong = standardSigned(BODY, { secret: `whsec_${Buffer.from('nobody').toString('base64')}` })
  for (const [i, order] of [
    [wrong, both],
    [both, wrong],
  ].entries()) {
    const signatures = order.map(({ headers }) => headers['webhook-signature']).join(' ')
    const answer = await deliver(service.url, changed(both, 'webhook-signature', `v1a,other ${signatures}`))
    expect(answer).toMatchObject(i === 0 ? RECEIVED : DUPLICATE)
  }
  const body = stripeEvent('x', {})
  const at = seconds()
  const header = `t=${at},v1=${'0'.repeat(64)},v1=${stripeByHand(body, at, second)}`
  const stripe = { body, headers: { 'stripe-signature': header } }
  expect(await deliver(service.url, stripe, { provider: 'stripe' })).toMatchObject(RECEIVED)
})

test('without a secret nothing is right, and the answer says why; a mistake in the settings ends the start', async () => {
  const service = await composeForTest({
    env: { MARQUEE_BILLING_PROVIDERS: 'payments=standard-webhooks,other=standard-webhooks' },
  })
  expect(await deliver(service.url, standardSigned(BODY))).toMatchObject(REFUSED)
  const own = standardSigned(BODY, { secret: service.seed.webhook_secret })
  expect(await deliver(service.url, own)).toMatchObject(RECEIVED)
  expect(await deliver(service.url, own, { provider: 'other' })).toMatchObject({
    status: 400,
    body: { details: 'the payment provider other has no secret in MARQUEE_BILLING_SECRETS' },
  })
  expect((await deliver(service.url, stripeSigned(BODY), { provider: 'stripe' })).status).toBe(404)
  const wrong: [Record<string, string>, RegExp][] = [
    [{ MARQUEE_BILLING_PROVIDERS: 'x=paypal' }, /"paypal" is not one of standard-webhooks, stripe/],
    [{ MARQUEE_BILLING_SECRETS: 'x=whsec_aaaa' }, /"x" is not in MARQUEE_BILLING_PROVIDERS/],
    [{ MARQUEE_BILLING_SECRETS: 'payments=whsec_§' }, /a secret of payments is not one of standard-webhooks/],
    [{ MARQUEE_BILLING_SECRETS: 'payments' }, /its item 1 is not of the form name=value/],
    [{ MARQUEE_BILLING_PRICES: 'price_1=gold' }, /"gold" is not one of free, pro/],
    [{ MARQUEE_BILLING_URL: 'http://127.0.0.1:1' }, /needs MARQUEE_BILLING_INTERNAL_SECRET/],
  ]
  const { loadConfig } = await import('../../server/config/config.ts')
  const { openBillingComponent } = await import('../../server/start/engines/billing.ts')
  for (const [env, complaint] of wrong)
    await expect(
      (async () => openBillingComponent(loadConfig(env), service.sql, { onError() {}, onTrouble() {} }))(),
      JSON.stringify(env),
    ).rejects.toThrow(complaint)
})

function changed(signed: Signed, header: string, value: string): Signed {
  return { ...signed, headers: { ...signed.headers, [header]: value } }
}

function without(signed: Signed, header: string): Signed {
  const { [header]: _, ...headers } = signed.headers
  return { ...signed, headers }
}

function edited(signed: Signed, edit: (signature: string) => string): Signed {
  return changed(signed, 'webhook-signature', edit(signed.headers['webhook-signature']!))
}

function editedStripe(edit: (header: string) => string): Signed {
  const signed = stripeSigned(STRIPE_BODY)
  return changed(signed, 'stripe-signature', edit(signed.headers['stripe-signature']!))
}
