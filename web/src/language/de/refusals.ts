import type { RefusalWords } from '../en/refusals.ts';
import { counted } from './counted.ts';

export const deRefusals: RefusalWords = {
  codes: {
    invalid_request: 'Der Dienst konnte das so nicht ausführen. Es wurde nichts geändert.',
    invalid_json:
      'Der Dienst konnte nicht lesen, was diese Seite gesendet hat. Laden Sie sie neu und versuchen Sie es noch einmal.',
    invalid_parameter:
      'Der Dienst hat die Eingabe nicht angenommen. Prüfen Sie sie und versuchen Sie es noch einmal.',
    unsupported_parameter:
      'Dieses Modell kennt einen der Parameter dieses Chats nicht. Leeren Sie ihn und versuchen Sie es noch einmal.',
    context_length_exceeded:
      'Dieser Chat ist länger, als das Modell lesen kann. Beginnen Sie einen neuen oder wählen Sie ein Modell mit größerem Kontext.',
    invalid_api_key: 'Der Schlüssel gilt nicht. Erzeugen Sie einen neuen.',
    network_not_permitted: 'Aus Ihrem Netz ist das nicht möglich.',
    sign_in_required: 'Sie sind abgemeldet. Melden Sie sich an, um weiterzumachen.',
    permission_denied: 'Dazu fehlt Ihnen die Berechtigung. Fragen Sie die Administratoren dieses Dienstes.',
    model_not_permitted: 'Sie dürfen dieses Modell nicht benutzen. Wählen Sie ein anderes.',
    foreign_origin:
      'Diese Seite gehört zu einer früheren Sitzung. Laden Sie sie neu und versuchen Sie es noch einmal.',
    not_found: 'Das gibt es nicht mehr. Vielleicht wurde es gelöscht.',
    model_not_found: 'Dieses Modell wird nicht mehr angeboten. Wählen Sie ein anderes.',
    stream_not_kept: 'Diese Antwort wird nicht mehr aufgehoben. Fragen Sie noch einmal.',
    method_not_allowed:
      'Diese Seite ist älter als der Dienst. Laden Sie sie neu und versuchen Sie es noch einmal.',
    request_timeout:
      'Das Senden hat zu lange gedauert. Prüfen Sie die Verbindung und versuchen Sie es noch einmal.',
    conflict:
      'Das passt nicht mehr zu dem, was sich inzwischen geändert hat. Laden Sie die Seite neu und versuchen Sie es noch einmal.',
    storage_full:
      'Ihre Chats und Dokumente belegen den ganzen Platz, den Sie hier haben. Löschen Sie einige; Gelöschtes zählt, bis es nach einem Tag endgültig entfernt ist.',
    request_too_large: 'Das ist zu groß zum Senden. Kürzen Sie es und versuchen Sie es noch einmal.',
    unsupported_media_type:
      'Der Dienst konnte nicht lesen, was diese Seite gesendet hat. Laden Sie sie neu und versuchen Sie es noch einmal.',
    insufficient_quota:
      'Ihr Budget ist aufgebraucht, oder der Rest reicht hierfür nicht. Die Seite Nutzung sagt, wann es sich erneuert und wer es erhöhen kann.',
    project_ended:
      'Dieses Projekt ist beendet. Wählen Sie ein anderes oder bitten Sie die Verwaltung um Verlängerung.',
    rate_limit_exceeded: 'Das war zu viel auf einmal.',
    queue_full: 'Gerade warten zu viele auf dieses Modell.',
    headers_too_large:
      'Der Browser hat zu viel mitgesendet. Löschen Sie die Cookies dieser Website und melden Sie sich neu an.',
    access_withdrawn:
      'Ihr Zugang wurde währenddessen entzogen. Fragen Sie die Administratoren dieses Dienstes.',
    internal_error:
      'Im Dienst ging etwas schief. Versuchen Sie es noch einmal; bleibt es so, sagen Sie es den Betreibern.',
    not_supported_by_engine: 'Dieses Modell kann das nicht. Wählen Sie ein anderes.',
    engine_failed:
      'Das Modell ist beim Antworten ausgefallen. Versuchen Sie es noch einmal oder wählen Sie ein anderes.',
    engine_unavailable:
      'Das Modell antwortet zurzeit nicht. Versuchen Sie es bald wieder oder wählen Sie ein anderes.',
    usage_unwritable:
      'Der Dienst kann den Verbrauch zurzeit nicht festhalten und nimmt keine Fragen an. Versuchen Sie es später wieder.',
    database_unavailable:
      'Die Datenbank ist zurzeit nicht erreichbar. Nichts ist verloren; versuchen Sie es gleich noch einmal.',
    service_overloaded: 'Der Dienst ist zurzeit überlastet. Versuchen Sie es in einigen Sekunden wieder.',
    shutting_down: 'Der Dienst wird neu gestartet. Versuchen Sie es in einer Minute wieder.',
    engine_timeout:
      'Das Modell hat zu lange gebraucht. Versuchen Sie es noch einmal oder wählen Sie ein anderes.',
  },
  places: {
    answer: {
      invalid_request:
        'Das Modell konnte diesen Chat nicht lesen. Ändern Sie die letzte Nachricht oder wählen Sie ein anderes Modell.',
      invalid_parameter:
        'Das Modell hat einen Parameter dieses Chats nicht angenommen. Ändern Sie ihn unter Anweisungen und Parameter.',
      request_too_large: 'Dieser Chat ist zu groß zum Senden. Beginnen Sie einen neuen.',
      rate_limit_exceeded:
        'Eine Grenze, die für Sie gilt, ist erreicht. Versuchen Sie es gleich noch einmal. Die Seite Nutzung sagt, welche Grenzen Sie haben und wer sie erhöhen kann.',
      internal_error: 'Die Antwort ist an einem Fehler im Dienst gescheitert. Lassen Sie neu antworten.',
    },
    'POST /console/sign-in/password': {
      sign_in_required:
        'E-Mail-Adresse oder Passwort stimmen nicht. Prüfen Sie beides und versuchen Sie es noch einmal.',
      permission_denied: 'Mit diesem Konto geht es hier nicht: Es ist gesperrt oder wartet auf Freigabe.',
      rate_limit_exceeded: 'Zu viele fehlgeschlagene Anmeldungen.',
    },
    'POST /console/sign-in/link': {
      sign_in_required:
        'Dieser Anmelde-Link wurde schon benutzt oder ist abgelaufen. Bitten Sie um einen neuen.',
      permission_denied: 'Mit diesem Konto geht es hier nicht: Es ist gesperrt oder wartet auf Freigabe.',
    },
    'POST /console/invitation/preview': {
      not_found:
        'Diese Einladung wurde schon benutzt, zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.',
    },
    'POST /console/invitation/accept': {
      not_found:
        'Diese Einladung wurde schon benutzt, zurückgezogen oder ist abgelaufen. Bitten Sie um eine neue.',
      conflict: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
    },
    'GET /console/chats/:chatId': { not_found: 'Diesen Chat gibt es nicht. Vielleicht wurde er gelöscht.' },
    'GET /console/shared/:shareId': {
      not_found: 'Dieser Link gilt nicht mehr. Bitten Sie die Person, die ihn geteilt hat, um einen neuen.',
    },
    'POST /console/generations': {
      conflict: 'Die Antwort darüber wird noch geschrieben. Warten Sie oder halten Sie sie an.',
      rate_limit_exceeded:
        'Zu viele Ihrer Antworten werden gerade geschrieben. Warten Sie auf eine oder halten Sie eine an.',
    },
    'POST /console/generations/temporary': {
      rate_limit_exceeded:
        'Zu viele Ihrer Antworten werden gerade geschrieben. Warten Sie auf eine oder halten Sie eine an.',
    },
    'DELETE /console/chats/:chatId/messages/:messageId': {
      conflict: 'Die Antwort wird noch geschrieben. Warten Sie oder halten Sie sie an.',
    },
    'POST /console/chats/import': {
      invalid_parameter:
        'Diese Datei ist kein Chat-Export, oder ein Teil davon ist nicht lesbar. Es wurde nichts importiert.',
      invalid_request:
        'Diese Chats lassen sich nicht importieren: Es sind zu viele, oder sie sind beschädigt. Es wurde nichts importiert.',
      request_too_large: 'Diese Datei ist zu groß zum Importieren. Exportieren Sie weniger Chats auf einmal.',
    },
    'POST /console/keys': {
      conflict: 'Sie haben so viele Schlüssel, wie dieser Dienst erlaubt. Widerrufen Sie erst einen.',
    },
    'POST /console/keys/:keyId/rotate': {
      conflict:
        'Dieser Schlüssel wurde schon ersetzt, widerrufen oder ist abgelaufen. Erzeugen Sie einen neuen.',
    },
    'PUT /console/projects/:projectId/members': {
      not_found: 'Niemand hier hat diese E-Mail-Adresse. Laden Sie die Person erst ein.',
    },
    'DELETE /console/projects/:projectId/members/:personId': {
      conflict: 'Die Person ist durch eine Gruppe des Anmeldedienstes Mitglied. Nehmen Sie sie dort heraus.',
    },
    'POST /console/administration/projects': {
      conflict: 'Ein Projekt mit dieser Kennung gibt es schon. Wählen Sie eine andere.',
    },
    'PATCH /console/administration/projects/:projectId': {
      conflict: 'Dieses Projekt steht in der Einstellungsdatei des Dienstes. Ändern Sie es dort.',
    },
    'PATCH /console/administration/appearance': {
      conflict: 'Das steht in der Einstellungsdatei des Dienstes. Ändern Sie es dort.',
    },
    'DELETE /console/administration/people/:personId': {
      conflict: 'Sperren Sie erst das Konto. Sich selbst können Sie nicht entfernen.',
    },
    'PATCH /console/administration/people/:personId': {
      conflict: 'Den eigenen Zugang können Sie nicht ändern. Bitten Sie andere Administratoren darum.',
    },
  },
  fields: {
    name: 'Wählen Sie einen Namen, der nicht leer und nicht zu lang ist.',
    email: 'Verwenden Sie die E-Mail-Adresse, für die die Einladung gilt, richtig geschrieben.',
    password: 'Wählen Sie ein Passwort mit mindestens zehn Zeichen.',
    next: 'Wählen Sie ein Passwort mit mindestens zehn Zeichen.',
    current: 'Das jetzige Passwort stimmt nicht.',
    title: 'Wählen Sie einen Namen mit höchstens 200 Zeichen.',
    networks:
      'Eines der Netze ist nicht lesbar. Schreiben Sie sie wie 192.0.2.0/24 oder 2001:db8::/32, eines je Zeile.',
    models: 'Eines der Modelle wird hier nicht angeboten.',
    expiresAt: 'So lange dürfen Schlüssel hier nicht gelten. Wählen Sie einen früheren Ablauf.',
    content: 'Diese Nachricht ist zu lang. Kürzen Sie sie und versuchen Sie es noch einmal.',
    systemPrompt: 'Die Anweisungen sind zu lang. Kürzen Sie sie und versuchen Sie es noch einmal.',
    id: 'Schreiben Sie die Kennung mit Kleinbuchstaben, Ziffern und Strichen, etwa genomik.',
    weight: 'Das Gewicht ist eine Zahl von 0,01 bis 1000.',
    endsAt: 'Wählen Sie einen Tag in der Zukunft.',
    groups: 'Eine der Gruppen ist zu lang oder nicht lesbar.',
    description: 'Die Beschreibung ist eine Zeile mit höchstens 500 Zeichen.',
    emails: 'Eine der Adressen ist nicht lesbar. Niemand wurde eingeladen.',
    limits: 'Grenzen sind Zahlen von 0 an; nur Budgets dürfen Bruchteile haben.',
    parameters:
      'Einer der Parameter ist außerhalb des Bereichs. Ändern Sie ihn unter Anweisungen und Parameter.',
  },
  again: (seconds) =>
    seconds < 90
      ? counted(seconds, {
          one: 'Versuchen Sie es in einer Sekunde wieder.',
          other: 'Versuchen Sie es in # Sekunden wieder.',
        })
      : counted(Math.ceil(seconds / 60), {
          one: 'Versuchen Sie es in einer Minute wieder.',
          other: 'Versuchen Sie es in # Minuten wieder.',
        }),
};
