package dev.muster.cli.training;

/** The same small job, whatever is asked for. */
final class CannedAnswers {
    record Answer(int status, String body) {}

    private static final String JOB = """
            {"id":"kx1","name":"hello","state":"Failed","cause":"UserError","reason":"UserError: worker-0 ended with exit code 1",\
            "noContact":null,"attempt":1,"restarts":0,"framework":"plain","backend":"local","queue":"default","queuePosition":null,\
            "priority":0,"submittedAt":"2026-01-31T12:00:00Z","startedAt":"2026-01-31T12:00:01.5Z","finishedAt":"2026-01-31T12:00:04Z",\
            "progress":{"step":412,"total":938,"epoch":1,"metrics":{"loss":0.3125},"etaSeconds":7.5},"badRecords":0,\
            "processes":[{"name":"worker-0","role":"worker","index":0,"rank":0,"localRank":null,"state":"Exited","exitCode":1,\
            "signal":null,"reason":"UserError: exit code 1","attempt":1,"address":"127.0.0.1","pid":42,\
            "startedAt":"2026-01-31T12:00:01.5Z","finishedAt":"2026-01-31T12:00:03Z"}],\
            "model":{"name":"m","version":1,"digest":"sha256:00112233445566778899"},"spec":{"name":"hello"}}""";
    private static final String EVENTS = """
            {"seq":1,"at":"2026-01-31T12:00:00Z","kind":"job","process":null,"from":null,"to":"Queued","cause":null,"reason":null}
            {"seq":2,"at":"2026-01-31T12:00:04Z","kind":"job","process":null,"from":"Running","to":"Failed","cause":"UserError",\
            "reason":"UserError: worker-0 ended with exit code 1"}
            """;
    private static final String NEEDS = """
            {"type":"urn:muster:needs","title":"More has to be sent along","status":428,"detail":"send it","problems":[],\
            "needs":{"code":".","requirements":[],"secrets":{}}}""";
    private static final String NOT_FOUND = """
            {"type":"urn:muster:not-found","title":"There is no such thing","status":404,"detail":"there is no job nosuch","problems":[]}""";
    private static final String QUEUE = """
            {"name":"default","weight":1,"quota":{"processes":null,"cpus":4,"memory":null,"gpus":null},\
            "used":{"processes":1,"cpus":1,"memory":1024,"gpus":0},"borrowed":{"processes":0,"cpus":0,"memory":0,"gpus":0},\
            "queued":0,"active":1,"users":[{"name":"ann","queued":0,"active":1,\
            "used":{"processes":1,"cpus":1,"memory":1024,"gpus":0},"share":0.25,"pastShare":0.125}]}""";
    private static final String PLAN = """
            {"backend":"local","addresses":"sample","processes":[{"name":"worker-0","role":"worker","index":0,"rank":0,"localRank":0,\
            "argv":["python","train.py"],"env":{"RANK":"0"},"files":{"hosts":"h slots=1\\n"}}]}""";

    private boolean asked;

    Answer to(String method, String target) {
        String path = target.replaceAll("\\?.*", "").replaceFirst("^/v1", "");
        return switch (method + " " + path) {
            case "POST /jobs" -> {
                asked = !asked;
                yield asked ? new Answer(428, NEEDS) : new Answer(201, "{\"id\":\"kx1\"}");
            }
            case "PUT /code" -> new Answer(200, "{\"digest\":\"sha256:00\"}");
            case "POST /plans" -> new Answer(200, PLAN);
            case "GET /jobs" -> page(JOB + "," + JOB);
            case "GET /jobs/nosuch" -> new Answer(404, NOT_FOUND);
            case "GET /jobs/kx1", "POST /jobs/kx1/cancel" -> new Answer(200, JOB);
            case "GET /jobs/kx1/watch" -> new Answer(200, JOB + "\n");
            case "GET /jobs/kx1/events" -> new Answer(200, EVENTS);
            case "GET /jobs/kx1/logs" -> new Answer(200, "worker-0 | hello\nworker-0 | bye\n");
            case "GET /models" ->
                page(
                        "{\"name\":\"m\",\"version\":1,\"digest\":\"sha256:0011\",\"job\":\"kx1\",\"createdAt\":\"2026-01-31T12:00:04Z\"}");
            case "GET /queues" -> page(QUEUE);
            default -> new Answer(204, "");
        };
    }

    private static Answer page(String items) {
        return new Answer(200, "{\"items\":[" + items + "],\"next\":null}");
    }
}
