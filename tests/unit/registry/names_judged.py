"""Names of fields, judged by a person before the rule was written: a table to test the rule against.

A dot separates an object from its field: `card.number` is the `number` of an object `card`. `FROM_DOCUMENTS` are those
of the documents in ../shared/specs whose names sound like secrets, each judged by the document's description.
"""


def names(text: str) -> tuple[str, ...]:
    """Return the comma-separated names, on any number of lines."""
    return tuple(name.strip() for name in text.replace("\n", ",").split(",") if name.strip())


SECRET_IN_DOCUMENTS = names("""
    access_token, account_number, account_token, api_key, apiKey, auth_token, Authorization, authorization_code
    CallToken, client_secret, client_token, credential, cvc, cvc_token, cvc_update, cvv, emv_auth_data, exp-api-key
    iban, refund_iban, sender_iban, sender_account_number, sender_sort_code, sort_code, routing_number
    refund_routing_number, bsb_number, jwt, jwt_secret, jwtSecret, MyToken, password, Password, paymentJwt
    paymentSessionToken, paymentToken, person_token, pin, posPin, secret, secret_key, SecurityCode
    sessionAccountToken, sessionToken, SipAuthPassword, ssn_last_4, token, X-API-KEY, creditCards.number, card.cvc
    card.number, card.exp_month, source.number, source.cvc, pin.encrypted_number, bank_account.account_number, card
    default_card, validation_code, authentication.apiKey, creditCard.cvv
""")

PLAIN_IN_DOCUMENTS = names("""
    a_number, access_activity_log, account, account_country, account_holder_name, account_holder_type, account_name
    account_sid, account_tax_ids, account_type, accountHead, accountId, accountTail, AccountSid, api_designer
    api_key_id, apiVersionNumber, auth_type, authenticated, authentication, authentication_flow, authorization_method
    authorization_response_code, authorize_redirect_url, AuthorizeRedirectUrl, bank_code, bank_name, bic
    BankAccountType, barcodeId, card_await_notification, card_issuing, card_payments, card_present, card_statement
    cardFee, cardHeight, cardHeightFrom, cardType, cardWidth, cardholder, cardholder_name
    cardholder_verification_method, cardsPerPack, cardsPerPackFrom, client_id, client_ip, code, codename
    company_authorization, confirmation_number, cookieInt, couponCodes, credential_list_mappings, credential_list_sid
    credential_lists, CredentialListSid, creditCardFeePercent, creditCardFees, custom_login, cvc_check, cvc_failure
    fingerprint, giftcard, giftCardErrors, giftCardNumber, giftcardNumber, giftCardNumbers, giftCards
    giftCards.giftCardNumber, giftVoucherCodeInput, iban_last4, id_number, idempotency_key, IdempotencyKey
    incremental_authorization_supported, key, keys, keywords, lookup_key, lookup_keys, oauth_flows, off_session
    pageNavigationToken, PageToken, passport, postal_code, private_label, privateEvent, promotion_code
    registeredBusinessNumber, request_extended_authorization, sendGiftCardEmails, serial_number, session, sessions
    shipping_rate_token, signedWaiverId, SipAuthUsername, site_key, skip_tipping, specificVoucherCode
    ssn_last_4_provided, subaccountId, supported_bank_account_currencies, swift_code, taxIdentificationNumber
    token_type, TokenType, tokenization_method, tradingCard, tradingCardDeck, tradingCardDeckUid, tradingCardSets
    tradingCards.number, transfer_lookup_key, us_bank_account_ach_payments, ValidCardTypes, verification_session
    wildcardSubtype, x-trip-clientid, card.last4, card.brand, card.country, encryption_details
    authorized_connect_apps, login_url, request_incremental_authorization_support, cvc_check.status
    publicationDesigner, accountMetaData, PhoneNumber.number
""")

SECRET = names("""
    accessToken, refresh_token, refreshtoken, id_token, bearer_token, bearer, csrf_token, X-Auth-Token
    x-access-token, secretAccessKey, aws_secret_access_key, private_key, privateKeyPem, privatekey, ssh_key
    encryption_key, master_key, signing_secret, webhookSecret, clientSecret, clientsecret, userpassword, user_pwd
    pwd, psw, passwd, passphrase, passcode, new_password, passwordConfirmation, password_hash, password_hint
    db_password, wifi_password, wifiPwd, cardNumber, card_number, card-number, CardNo, cardnumber, credit_card
    creditCardNumber, creditcardnumber, debitcard, ccNumber, cc_num, card_cvv, cardCvc, cvv2, card_security_code
    cardVerificationValue, card_verification_code, card_expiry, cardExpirationDate, pan, PAN, card_pan, track_data
    magstripe, IBAN, iban_code, ibanNumber, bank_account_number, bankAccountNumber, accountNumber, account_no
    bankAccount, otp, otp_code, oneTimePassword, one_time_code, totp_secret, mfa_code, twoFactorCode, 2fa_code
    verification_code, auth_code, recoveryCodes, backup_codes, reset_token, api-key, apikey, x-api-key, app_key
    appSecret, consumer_key, consumerSecret, access_key, Ocp-Apim-Subscription-Key, connection_string, gift_card_pin
    giftCardPin, giftCardSecurityCode, payment_method_nonce, device_token, session_cookie, Cookie, Set-Cookie
    Proxy-Authorization, basic_auth, code_verifier, door_code, alarmCode, access_code, security_answer, ssn
    socialSecurityNumber, hmac_key, credentials.value, payment.card.number, payment_method.card.number
    paymentCard.expiryYear, billing.creditCard.securityCode, secret.value, token.value, password.new, cards.number
    bank_details.number, bank.account_number, card_details.number, apiToken, authKey, codice_pin, codicePin
    numero_carta, numeroCarta, numero_carta_credito, carta_di_credito, cartaCredito, scadenza_carta, codice_sicurezza
    codice_di_sicurezza, codice_cvv, conto_corrente, numero_conto, numero_conto_corrente, coordinate_bancarie
    chiave_api, chiaveApi, chiave_privata, chiave_segreta, segreto, codice_segreto, token_accesso, tokenDiAccesso
    codice_otp, codice_verifica, codice_accesso, codice_porta, credenziali, parola_segreta, carta.numero
""")

PLAIN = names("""
    gift_card_id, card_id, credentialId, token_id, gift_card, giftCardCode, gift_card_number, gift_card_balance
    gift_card_expiry, giftCardExpiryDate, gift_card_last4, gift_card.number, gift_card.expiry, card_last4, cardLast4
    card_last_four, card_brand, card_status, card_count, card_url, card_holder, cardHolderName, card.id
    card.holder_name, voucher_code, voucherNumber, voucher.number, coupon_code, loyalty_card, loyaltyCardNumber
    loyalty_card_no, membership_card_id, member_card, membershipCardNumber, membershipNumber, key_card, keyCardNumber
    room_key, room_key_count, locker_key, keyboard, keynote, key_contact, primary_key, sort_key, public_key
    publishable_key, rateKey, discard, cardinality, cardboard, scorecard, postcard, wildcard, tokenize, tokenizer
    secretary, max_tokens, token_count, tokens_used, tokenExpiresAt, token_url, token_endpoint, password_required
    password_updated_at, password_policy, pin_count, pinned, pineapple, spin, shopping_cart, opinion, company, expand
    panel, japan, bank, bank_holiday, account_manager, account_status, account_balance, customer_account_number
    loyalty_account_number, memberAccountNo, authorId, authority, authorized, authorizationStatus, authorization_id
    pre_authorization_amount, is_authenticated, authentication_type, session_id, sessionType, zip_code, country_code
    dress_code, promo_code, booking_code, confirmation_code, product_code, security_deposit, security_level
    codeOfConduct, ticket_number, booking_number, invoice_number, phone_number, next_page_token, nextPageToken
    continuationToken, sync_token, idempotency_token, design_tokens, game_tokens, arcade_tokens, cookie_policy
    cookie_consent, passenger, passport_number, season_pass, ski_pass_id, bypass, compass, access_level
    accessibility, gift_certificate_code, signature_dish, number_of_cards, rate_token, offerToken, availability_token
    table.number, room.number, order.number, token.id, source.id, source.type, credentials.id, credentials.username
    access_key_id, card_name, card_design, giftCardToken.id, api_keys_count, carta_regalo, codice_carta_regalo
    numero_carta_regalo, scadenza_carta_regalo, carta_fedelta, carta_fedeltà, numeroCartaFedelta, tessera
    numero_tessera, codice_tessera, buono_regalo, codice_buono, tipo_carta, id_carta, intestatario_carta
    carta_identita, carta_vini, codice_fiscale, partita_iva, codice_prenotazione, codice_sconto, parola_chiave
    parole_chiave, chiave_camera, conto, conto_totale, importo_conto, numero_coperti, id_conto, codice_postale
    cartella, cartellino, tipo_token, numero_di_carte, carta_regalo.numero, tessera.numero
""")

# Judged after the rule was written and before it was tested on them: 112 of 129 at first, then words were added.
LATER_SECRET = names("""
    stripe_secret, paypalClientSecret, x-client-secret, oauthToken, githubToken, slackBotToken, pushToken, fcm_token
    apns_token, magic_link_token, invite_token, rememberToken, xsrfToken, sas_token, wsPassword, smtp_password
    passwordRepeat, confirm_password, oldPassword, currentPwd, PassWord, master_password, card_num, CreditCardNum
    primaryAccountNumber, payment_card_number, cardExpMonth, cardExpYear, ccExpiry, cc_exp_month, ccv, card_csc
    securityNumber, iban_number, debtor_iban, beneficiaryIban, payout_account_number, bankAccountNo, pin_number
    door_pin, alarm_pin, smsCode, sms_otp, authenticator_code, unlock_code, wifi_key, jwtToken, private_key_pem
    rsaPrivateKey, signingKey, api_secret, apiSecretKey, app_token, licenseKey, password_reset_token
    numeroCartaDiCredito, cvv_carta, parolaChiaveSegreta, codice_wifi, passwordUtente, chiave_accesso
    iban_beneficiario, tokenApi
""")
LATER_PLAIN = names("""
    giftCardId, gift_voucher_id, store_credit, card_product_id, card_template_id, idCardType, businessCardUrl
    report_card, cardCount, card_network, tokenCount, token_symbol, lastTokenUsedAt, isPasswordSet
    password_changed_on, passwordExpiresInDays, secret_count, keycode_type, keyword, keyPerson, keyIngredient, hotkey
    turnkey, monkey, key_date, key_facts, shoe_pin_size, authorName, authoredBy, accounting_code, account_type_id
    discount_account, bank_holiday_rate, piggy_bank, sandbank, pinball_lanes, pinboard, shopping, passengers
    passType, pass_count, overpass, tax_number, vat_number, table_number, locker_number, seat_code, venue_code
    cost_code, colour_code, promotionCode, rewardPoints, loyalty_points, member_number, club_card_points
    codice_cliente, codice_tavolo, numero_tavolo, numero_ospiti, menu_alla_carta, carta_soci, punti_tessera
    chiusura_conto, conto_separato, password_less
""")

# Not secrets, but recognised as ones: an author sets `sensitive: false` for them.
STILL_WRONG = names("secretSantaEvent, secret_menu, pin_code_of_india, kitchen_token_board")
