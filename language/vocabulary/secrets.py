"""The words that mark the name of a field as a secret: English and Italian, with abbreviations.

Names are read word by word (`registry/secrets/names.py`); each word of an author counts as one of a few, so that a rule
is written once for both languages.
"""


def _rows(text: str) -> dict[str, str]:
    """Return `word: spelling spelling …` lines as the word by its spellings."""
    rows = [line.partition(":") for line in text.strip().splitlines()]
    return {spelling: word.strip() for word, _, spellings in rows for spelling in spellings.split()}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _together(text: str) -> frozenset[frozenset[str]]:
    """Return words that are side by side in any order, since Italian reverses them. Commas separate the groups."""
    return frozenset(frozenset(phrase.split()) for phrase in text.replace("\n", ",").split(",") if phrase.strip())


SAME = _rows("""
    password: password passwd passphrase passcode pwd psw passwords
    cvv: cvv cvc cvn cvvs ccv
    otp: otp totp
    card: card cards carta carte
    key: key keys chiave chiavi
    code: code codes codice codici
    number: number numbers numero numeri num nr nbr
    account: account accounts conto conti acct
    token: token tokens
    secret: secret secrets segreto segreta segreti
    credential: credential credentials creds credenziale credenziali
    security: security sicurezza
    verification: verification verify verifica validation
    access: access accesso
    private: private privata
    door: door porta gate cancello
    alarm: alarm allarme
    lock: lock locker sblocco
    expiry: expiry expiration exp scadenza
    pin: pin pins
    bank: bank bancarie bancari bancario bancaria
    details: details detail coordinate dati
    credit: credit credito
    debit: debit debito
    type: type types kind tipo tipi
    name: name names nome
    holder: holder owner intestatario titolare
    last: last ultime ultimi
    status: status state stato
    list: list lists
    mapping: mapping mappings
    check: check checks
    error: error errors
    count: count counts quantity qty quantita
    data: data
    cookie: cookie cookies
    answer: answer answers risposta
    app: app application
    nonce: nonce nonces
    jwt: jwt jwts
    iban: iban ibans
""")
"""Each spelling, and the word that it counts as."""

SILENT = _words("of the di del della dei da d on in per al alla")

CERTAIN = _words("password cvv otp jwt bearer apikey magstripe cryptogram")
"""Words that can mean nothing but a secret."""

LIKELY = _words("secret token pin pan iban ssn")
"""Words that mostly mean a secret."""

CERTAIN_TOGETHER = _together("""
    api key, private key, secret key, client secret, secret access key, access token, refresh token, bearer token
    auth token, session token, cc number, track data, swipe data, magnetic stripe, one time code, mfa code, fa code
    factor code, auth data, card pin, card pan, card csc, pass word, cc expiry
""")

LIKELY_TOGETHER = _together("""
    app key, consumer key, encryption key, signing key, auth key, master key, ssh key, pgp key, hmac key, access key
    subscription key, session key, account number, account no, routing number, sort code, bsb number, security code
    social security, verification code, auth code, authorization code, authentication code, recovery code, backup code
    reset code, access code, door code, alarm code, lock code, keypad code, login code, security answer, basic auth
    sms code, authenticator code, unlock code, wifi code, wifi key, license key, licence key, security number
    connection string, code verifier, session cookie, auth cookie, account corrente, x auth
""")

THINGS = _together("card, credential, bank account, bank details, account corrente, auth")
"""Objects that hold secrets beside harmless fields: the fields of such an object are checked."""

OF_A_CARD = _words("number no verification security code expiry pan cvv")
"""Fields of a payment card that are as secret as the card."""

OF_A_SOURCE = _together(
    "source, payment method, payment source, funding source, payment instrument, bank account, bank details"
)
"""Sources of money: their `number` is that of a card or an account."""

WRAPPING = _words("details data info object value values attributes")
"""Names without a meaning of their own: `card.details.number` is the number of a card."""

GOODS = _words("""
    gift giftcard loyalty membership member key room trading playing game business identity id report score time
    reward rewards club season ski library voucher greeting menu wine punch stamp discount promo visitor guest index
    regalo fedelta socio soci tessera membri sconto vini vino bevande dolci identita imbarco gioco punti servizi
    cliente
""")
"""Cards that are sold, carried or read: their number gives no access to money."""

NUMBERED = _words("""
    customer loyalty member membership guest client user patron subscriber meter reward rewards club tax cliente socio
""")
"""Owners whose account number is not that of a bank account."""

HANDLES = _words("""
    page pagination next prev previous navigation continuation cursor sync idempotency design game arcade play ride
    rate offer quote price availability slot search max min total remaining prompt completion input output
""")
"""Tokens that grant no access: places in a list, offers, coins of an arcade, pieces of text."""

ABOUT = _words("""
    symbol changed days less id ids sid sids uid uuid guid ref reference name label title description type brand
    scheme network issuer status count total amount fee fees percent price cost currency balance url uri link endpoint
    href image icon design template color colour layout height width size length min max limit date time at created
    updated list mapping method methods mode format provider country holder present payments issuing statement
    notification check failure error email emails policy rule required enabled disabled allowed supported support
    provided set used verified valid strength fingerprint algorithm version scope scopes audience purpose reason
    category group position location expires color
""")
"""The last words of a name that describes a secret without being one."""

ABOUT_FIRST = _words("type status importo saldo holder marca data quantita count name")
"""The same words where they come first, as in Italian: `tipo_carta`."""

WHO = _words("user username login email name host port realm")
"""Words beside a password that are not secret."""

PLAIN_QUALIFIERS = _words("""
    credit debit payment default new primary backup generated issuing customer my charge prepaid bank virtual physical
    corrente saved stored external source
""")
"""Words before or after a thing that do not change its meaning: `default_card`, `carta_di_credito`."""

HEADERS = _words("cookie setcookie authorization proxyauthorization xauthorization")
"""Authentication headers, written as one word."""

GLUED = _words("gift client user api refresh session auth id expiry holder corrente")
"""Other parts of compound names: `clientsecret`, `giftcard`."""
