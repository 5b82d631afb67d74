package orrery.frontend.sql;

/** The names of the headers that the API reads and writes. */
final class SqlHeaders {
    static final String ACTIVITY_ID = "x-ms-activity-id";
    static final String ALT_CONTENT_PATH = "x-ms-alt-content-path";
    static final String A_IM = "A-IM";
    static final String AUTHORIZATION = "authorization";
    static final String AUTOPILOT_SETTINGS = "x-ms-cosmos-offer-autopilot-settings";
    static final String BATCH_ATOMIC = "x-ms-cosmos-batch-atomic";
    static final String BATCH_CONTINUE_ON_ERROR = "x-ms-cosmos-batch-continue-on-error";
    static final String BATCH_ORDERED = "x-ms-cosmos-batch-ordered";
    static final String BATCH_REQUEST = "x-ms-cosmos-is-batch-request";
    static final String CHANGE_FEED_FORMAT = "x-ms-cosmos-changefeed-wire-format-version";
    static final String CHARGE_DETAIL = "x-ms-orrery-charge-detail";
    static final String CONSISTENCY_LEVEL = "x-ms-consistency-level";
    static final String CONTENT_PATH = "x-ms-content-path";
    static final String CONTENT_TYPE = "Content-Type";
    static final String CONTINUATION = "x-ms-continuation";
    static final String DATE = "date";
    static final String ENABLE_CROSS_PARTITION = "x-ms-documentdb-query-enablecrosspartition";
    static final String END_EPK = "x-ms-end-epk";
    static final String ETAG = "etag";
    static final String GATEWAY_VERSION = "x-ms-gatewayversion";
    static final String IF_MATCH = "If-Match";
    static final String IF_MODIFIED_SINCE = "If-Modified-Since";
    static final String IF_NONE_MATCH = "If-None-Match";
    static final String INDEXING_DIRECTIVE = "x-ms-indexing-directive";
    static final String INDEX_METRICS = "x-ms-cosmos-index-utilization";
    static final String INDEX_PROGRESS = "x-ms-documentdb-collection-index-transformation-progress";
    static final String INTENDED_RID = "x-ms-cosmos-intended-collection-rid";
    static final String IS_QUERY = "x-ms-documentdb-isquery";
    static final String IS_QUERY_GO = "x-ms-documentdb-query";
    static final String IS_QUERY_PLAN = "x-ms-cosmos-is-query-plan-request";
    static final String IS_UPSERT = "x-ms-documentdb-is-upsert";
    static final String ITEM_COUNT = "x-ms-item-count";
    static final String LAZY_INDEX_PROGRESS =
            "x-ms-documentdb-collection-lazy-indexing-progress";
    static final String LSN = "lsn";
    static final String MAX_ITEM_COUNT = "x-ms-max-item-count";
    static final String MAX_MEDIA_STORAGE = "x-ms-max-media-storage-usage-mb";
    static final String MEDIA_STORAGE = "x-ms-media-storage-usage-mb";
    static final String MIGRATE_TO_AUTOPILOT = "x-ms-cosmos-migrate-offer-to-autopilot";
    static final String MIGRATE_TO_MANUAL = "x-ms-cosmos-migrate-offer-to-manual-throughput";
    static final String MIN_THROUGHPUT = "x-ms-cosmos-min-throughput";
    static final String OFFER_REPLACE_PENDING = "x-ms-offer-replace-pending";
    static final String POPULATE_PARTITION_STATISTICS =
            "x-ms-documentdb-populatepartitionstatistics";
    static final String PRIORITY_LEVEL = "x-ms-cosmos-priority-level";
    static final String RU_PER_MINUTE_USED = "x-ms-documentdb-is-ru-per-minute-used";
    static final String DISABLE_RU_PER_MINUTE = "x-ms-documentdb-disable-ru-per-minute-usage";
    static final String SUPPORTED_QUERY_FEATURES = "x-ms-cosmos-supported-query-features";
    static final String THROUGHPUT_BUCKET = "x-ms-cosmos-throughput-bucket";
    static final String OFFER_RU_PER_MINUTE = "x-ms-offer-is-ru-per-minute-throughput-enabled";
    static final String OFFER_THROUGHPUT = "x-ms-offer-throughput";
    static final String OFFER_TYPE = "x-ms-offer-type";
    static final String OPTIMISTIC_DIRECT_EXECUTE = "x-ms-cosmos-query-optimisticdirectexecute";
    static final String PARTITION_KEY = "x-ms-documentdb-partitionkey";
    static final String POPULATE_INDEX_METRICS = "x-ms-cosmos-populateindexmetrics";
    static final String POPULATE_INDEX_METRICS_V2 = "x-ms-cosmos-populateindexmetrics-V2";
    static final String POPULATE_QUERY_ADVICE = "x-ms-cosmos-populatequeryadvice";
    static final String POPULATE_QUERY_METRICS = "x-ms-documentdb-populatequerymetrics";
    static final String POPULATE_QUOTA_INFO = "x-ms-documentdb-populatequotainfo";
    static final String POST_TRIGGER = "x-ms-documentdb-post-trigger-include";
    static final String PREFER = "Prefer";
    static final String PRE_TRIGGER = "x-ms-documentdb-pre-trigger-include";
    static final String QUERY_EXECUTION_INFO = "x-ms-cosmos-query-execution-info";
    static final String QUERY_ADVICE = "x-ms-cosmos-query-advice";
    static final String QUERY_METRICS = "x-ms-documentdb-query-metrics";
    static final String RANGE_ID = "x-ms-documentdb-partitionkeyrangeid";
    static final String READ_CONSISTENCY_STRATEGY = "x-ms-cosmos-read-consistency-strategy";
    static final String REQUEST_CHARGE = "x-ms-request-charge";
    static final String REQUIRES_DISTRIBUTION = "x-ms-cosmos-query-requiresdistribution";
    static final String RESOURCE_QUOTA = "x-ms-resource-quota";
    static final String RESOURCE_USAGE = "x-ms-resource-usage";
    static final String RETRY_AFTER_MS = "x-ms-retry-after-ms";
    static final String SCHEMA_VERSION = "x-ms-schemaversion";
    static final String SCRIPT_LOG = "x-ms-documentdb-script-log-results";
    static final String SCRIPT_LOGGING = "x-ms-documentdb-script-enable-logging";
    static final String SERVICE_VERSION = "x-ms-serviceversion";
    static final String SESSION_TOKEN = "x-ms-session-token";
    static final String START_EPK = "x-ms-start-epk";
    static final String SUBSTATUS = "x-ms-substatus";
    static final String VERSION = "x-ms-version";
    static final String X_DATE = "x-ms-date";

    private SqlHeaders() {}
}
