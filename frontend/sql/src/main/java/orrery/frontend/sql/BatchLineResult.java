package orrery.frontend.sql;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.gateway.api.BatchAnswer.Result;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.metering.Charge;

/**
 * The result of one operation for the client, in either encoding.
 *
 * @param etag with its double quotes
 * @param item what the client wants to have back
 */
record BatchLineResult(
        int status,
        int substatus,
        Charge charge,
        Optional<String> etag,
        OptionalLong retryAfterMillis,
        Optional<String> message,
        Optional<Item> item) {
    private static final int FIELDS_BYTES = 512;

    static BatchLineResult of(Result result, boolean isMinimal) {
        return switch (result) {
            case Result.Done done ->
                    new BatchLineResult(
                            switch (done.outcome()) {
                                case READ, REPLACED, UNCHANGED -> 200;
                                case CREATED -> 201;
                                case DELETED -> 204;
                            },
                            0,
                            done.charge(),
                            done.item().map(Item::etag).map(Etag::quoted),
                            OptionalLong.empty(),
                            Optional.empty(),
                            done.item().filter(item -> !isMinimal && !item.body().isEmpty()));
            case Result.NotModified(Etag etag, Charge charge) ->
                    new BatchLineResult(
                            304,
                            0,
                            charge,
                            Optional.of(etag.quoted()),
                            OptionalLong.empty(),
                            Optional.empty(),
                            Optional.empty());
            case Result.Refused(OrreryException failure) ->
                    new BatchLineResult(
                            failure.code().status(),
                            failure.code().substatus(),
                            failure.charge(),
                            Optional.empty(),
                            failure.retryAfter()
                                    .map(Duration::toMillis)
                                    .map(OptionalLong::of)
                                    .orElseGet(OptionalLong::empty),
                            Optional.of(failure.text()),
                            Optional.empty());
        };
    }

    /** Room for all of them. */
    static int sizeOf(List<BatchLineResult> results) {
        int bytes = FIELDS_BYTES;
        for (BatchLineResult result : results) {
            bytes += FIELDS_BYTES + result.item.map(item -> item.body().length()).orElse(0);
        }
        return bytes;
    }
}
