// A session reads a head, asks what to do with it, reads the body, and sends the answer when that
// comes; then the next request.
#include "bindings/http/session.h"

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <chrono>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "bindings/http/heads.h"
#include "bindings/http/problem.h"
#include "bindings/http/shared_text.h"
#include "bindings/http/surely.h"
#include "bindings/http/unsaid.h"

namespace muster::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t kReadAhead = 4096;                    // bytes of a first read
constexpr std::size_t kMostDrained = std::size_t{1} << 20;  // of a body that is not wanted
constexpr std::chrono::seconds kDrain{2};
constexpr int kMostUnread = 128 << 10;  // bytes of a stream that the system keeps

using Plain = beast::tcp_stream;
using Tls = beast::ssl_stream<beast::tcp_stream>;

template <typename Stream>
class Connection : public Session,
                   public Outlet,
                   public std::enable_shared_from_this<Connection<Stream>> {
 public:
  /// `more` is what the stream takes beside the socket.
  template <typename... More>
  Connection(tcp::socket socket, SessionsShared& shared, More&... more)
      : stream_(std::move(socket), more...), shared_(shared) {
    shared_.sessions.insert(this);
    error_code error;
    Lowest().socket().set_option(tcp::no_delay(true), error);
    const tcp::endpoint peer = Lowest().socket().remote_endpoint(error);
    if (!error) peer_ = peer.address().to_string();
    if constexpr (!kTls) Lowest().socket().non_blocking(true, error);
  }

  ~Connection() override {
    Hush();
    shared_.sessions.erase(this);
    if (shared_.sessions.empty() && shared_.draining && shared_.on_idle) shared_.on_idle();
  }

  /// Agrees on keys first, where there are any.
  void Start() {
    if constexpr (kTls) {
      Lowest().expires_after(shared_.limits.head);
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](error_code error) {
                                return error ? self->Close() : self->Begin();
                              });
    } else {
      Begin();
    }
  }

  /// Waits for the first byte of a request.
  void Begin() {
    if (buffer_.size() > 0) return ReadHead();
    if (shared_.draining) return Close();
    idle_ = true;
    Lowest().expires_after(shared_.limits.idle);
    stream_.async_read_some(buffer_.prepare(kReadAhead),
                            [self = this->shared_from_this()](error_code error, std::size_t bytes) {
                              self->idle_ = false;
                              if (error) return self->Close();
                              self->buffer_.commit(bytes);
                              self->ReadHead();
                            });
  }

  void Send(SharedTexts texts) override {
    if (!speaker_ || last_said_) return;
    for (SharedText& text : texts) unsaid_.Push(std::move(text), chunked_);
    SayNext();
  }
  std::size_t Behind() const override { return unsaid_.bytes(); }
  void End() override {
    if (!speaker_ || last_said_) return;
    if (chunked_) {
      static const SharedText kLast = Share("0\r\n\r\n");
      unsaid_.Push(kLast, /*chunk=*/false);
    }
    last_said_ = true;
    SayNext();
    if (unsaid_.empty()) SaidAll();
  }

  void Cut() noexcept override {
    Hush();
    Close();
  }

  void CloseIfIdle() override {
    if (idle_) Close();
  }

  void Close() {
    error_code ignored;
    Lowest().socket().shutdown(tcp::socket::shutdown_both, ignored);
    Lowest().close();
  }

 private:
  static constexpr bool kTls = std::is_same_v<Stream, Tls>;

  beast::tcp_stream& Lowest() { return beast::get_lowest_layer(stream_); }

  void ReadHead() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(shared_.limits.head_bytes));
    parser_->body_limit(std::numeric_limits<std::uint64_t>::max());
    keep_ = false;
    no_body_ = false;
    const error_code wrong = ParseBuffered(/*whole=*/false);
    if (wrong || parser_->is_header_done()) return OnHead(wrong);
    Lowest().expires_after(shared_.limits.head);
    bhttp::async_read_header(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](error_code error, std::size_t) { self->OnHead(error); });
  }

  /// Takes what has been read already, so that nothing is waited for where a request is all there:
  /// its head, or also the rest of it.
  error_code ParseBuffered(bool whole) {
    error_code error;
    if (buffer_.size() == 0) return error;
    parser_->eager(whole);
    buffer_.consume(parser_->put(buffer_.data(), error));
    return error == bhttp::error::need_more ? error_code() : error;
  }

  void OnHead(error_code error) {
    if (error == bhttp::error::header_limit) {
      return Send(Refuse(
          Refusal{431,
                  "ResourceExhausted",
                  "the head has more than " + std::to_string(shared_.limits.head_bytes) + " bytes",
                  "",
                  {}}));
    }
    if (error && error.category() == make_error_code(bhttp::error::bad_method).category() &&
        error != bhttp::error::end_of_stream && error != bhttp::error::partial_message) {
      return Send(Refuse(BadHttp("this is no HTTP request: " + error.message())));
    }
    if (error) return Close();
    const bhttp::request<bhttp::string_body>& request = parser_->get();
    const Head head = HeadOf(request);
    no_body_ = head.method == "HEAD";
    if (const auto wrong = CheckHead(head, request.version())) return Send(Refuse(*wrong));
    keep_ = request.keep_alive();
    chunked_ = request.version() >= 11;
    Verdict verdict = shared_.draining ? Verdict(Stopping()) : shared_.begin(head);
    if (Response* const refused = std::get_if<Response>(&verdict)) {
      keep_ = keep_ && parser_->is_done();
      return Send(std::move(*refused));
    }
    accepted_ = std::get<Accepted>(std::move(verdict));
    if (head.body_bytes.value_or(0) > accepted_.most_bytes) {
      keep_ = false;
      return Send(Refuse(BodyTooLong(accepted_.most_bytes)));
    }
    if (head.Count("expect") == 0 || parser_->is_done()) return ReadBody();
    if (head.Field("expect") != "100-continue") {
      keep_ = false;
      return Send(Refuse(Refusal{
          417, "InvalidArgument", "only 100-continue may be expected", "", {"header", "expect"}}));
    }
    static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(stream_, asio::buffer(kContinue),
                      [self = this->shared_from_this()](error_code failed, std::size_t) {
                        if (failed) return self->Close();
                        self->ReadBody();
                      });
  }

  Head HeadOf(const bhttp::request<bhttp::string_body>& request) const {
    Head head;
    head.method = std::string(request.method_string());
    head.target = std::string(request.target());
    head.peer = peer_;
    for (const auto& field : request) {
      std::string name(field.name_string());
      for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      }
      head.fields.emplace_back(std::move(name), std::string(field.value()));
    }
    head.chunked = parser_->chunked();
    if (const auto length = parser_->content_length()) head.body_bytes = *length;
    return head;
  }

  void ReadBody() {
    parser_->body_limit(accepted_.most_bytes);
    if (!parser_->is_done()) {
      if (const error_code wrong = ParseBuffered(/*whole=*/true)) return OnBody(wrong);
    }
    if (parser_->is_done()) return OnBody({});
    Lowest().expires_after(shared_.limits.body);
    bhttp::async_read(
        stream_, buffer_, *parser_,
        [self = this->shared_from_this()](error_code error, std::size_t) { self->OnBody(error); });
  }

  void OnBody(error_code error) {
    if (error) keep_ = false;
    if (error == bhttp::error::body_limit) return Send(Refuse(BodyTooLong(accepted_.most_bytes)));
    if (error && error.category() == make_error_code(bhttp::error::bad_method).category() &&
        error != bhttp::error::end_of_stream && error != bhttp::error::partial_message) {
      return Send(Refuse(BadHttp("the body is no HTTP: " + error.message())));
    }
    if (error) return Close();
    Lowest().expires_never();  // the answer takes its time
    std::string body = std::move(parser_->get().body());
    const auto go = std::move(accepted_.go);
    accepted_ = {};
    go(std::move(body), [self = this->shared_from_this()](Response response) {
      self->OrCut([&] { self->Send(std::move(response)); });
    });
  }

  /// What is under way would keep a session open that nothing will be said to any more.
  template <typename Step>
  void OrCut(const Step& step) noexcept {
    try {
      step();
    } catch (...) {
      LogCaught("an answer");
      Cut();
    }
  }

  void Send(Response response) {
    if (response.speaker && !no_body_) return Speak(std::move(response));
    keep_ = keep_ && !shared_.draining;
    // The length that is told of the answer to a HEAD is of a body that does not follow.
    answer_ = HeadText(response, keep_);
    if (!no_body_) {
      body_ = std::move(response.body);
      unsent_ = std::move(response.held);
    }
    Parts parts = {asio::buffer(answer_), asio::buffer(body_)};
    DropSent(parts, WriteNow(parts));
    if (parts.empty()) return OnSent({});
    Lowest().expires_after(shared_.limits.write);
    asio::async_write(
        stream_, parts,
        [self = this->shared_from_this()](error_code error, std::size_t) { self->OnSent(error); });
  }

  void OnSent(error_code error) {
    answer_.clear();
    body_ = {};
    unsent_.reset();
    if (error) return Close();
    if (!keep_) return Drain();
    if (buffer_.size() == 0) return Begin();
    // Else what refuses request after request would come back here each time.
    asio::post(stream_.get_executor(), [self = this->shared_from_this()] { self->Begin(); });
  }

  /// A response without a length: what the speaker says, for as long as both sides stay.
  void Speak(Response response) {
    keep_ = false;
    last_said_ = false;
    unsaid_.Push(Share(StreamHeadText(response.type, chunked_)), /*chunk=*/false);
    speaker_ = std::move(response.speaker);
    buffer_.clear();
    error_code ignored;  // the system may keep more or less for a listener that does not read
    Lowest().socket().set_option(asio::socket_base::send_buffer_size(kMostUnread), ignored);
    Lowest().expires_never();
    Overhear(0);
    Send({Share(std::move(response.body))});
    speaker_->Begin(*this);
  }

  /// Reads until the peer has gone; what it says meanwhile means nothing.
  void Overhear(std::size_t heard) {
    stream_.async_read_some(buffer_.prepare(kReadAhead), [self = this->shared_from_this(), heard](
                                                             error_code error, std::size_t bytes) {
      if (self->last_said_ && self->unsaid_.empty()) return self->Drain();
      if (!error && heard + bytes <= kMostDrained) return self->Overhear(heard + bytes);
      self->Hush();
      self->Close();
    });
  }

  /// Says what has gathered.
  void SayNext() {
    while (!saying_ && !unsaid_.empty()) {
      unsaid_.TakeParts();
      unsaid_.DropSent(WriteNow(unsaid_.parts()));
      if (!unsaid_.parts().empty()) return SayRest();
      unsaid_.Said();
    }
  }

  /// How many bytes of the parts the system took at once: most often all, but none of TLS. What is
  /// wrong will be told to the write that waits.
  std::size_t WriteNow(const Parts& parts) {
    if constexpr (kTls) return 0;
    error_code ignored;
    return Lowest().socket().write_some(parts, ignored);
  }

  void SayRest() {
    saying_ = true;
    Lowest().expires_after(shared_.limits.write);  // of the write; the read goes on
    asio::async_write(stream_, unsaid_.parts(),
                      [self = this->shared_from_this()](error_code error, std::size_t) {
                        self->saying_ = false;
                        if (error) {
                          self->Hush();
                          return self->Close();
                        }
                        self->unsaid_.Said();
                        self->OrCut([&] { self->SaidOne(); });
                      });
  }

  void SaidOne() {
    SayNext();
    if (!unsaid_.empty()) return;
    if (last_said_) return SaidAll();
    if (speaker_) speaker_->Drained();
  }

  /// The read that is under way is cancelled, and drains.
  void SaidAll() {
    Hush();
    Lowest().cancel();
  }

  void Hush() {
    if (const std::shared_ptr<Speaker> speaker = std::exchange(speaker_, nullptr)) speaker->Gone();
  }

  /// Says that nothing more comes, then reads for a while what still does: closing before would
  /// take the answer from the peer.
  void Drain() {
    Lowest().expires_after(kDrain);
    if constexpr (kTls) {
      stream_.async_shutdown(
          [self = this->shared_from_this()](error_code /*the peer does not say it, too*/) {
            self->DrainSocket();
          });
    } else {
      DrainSocket();
    }
  }

  void DrainSocket() {
    error_code ignored;
    Lowest().socket().shutdown(tcp::socket::shutdown_send, ignored);
    buffer_.clear();
    Lowest().expires_after(kDrain);
    DrainMore(0);
  }

  void DrainMore(std::size_t drained) {
    Lowest().async_read_some(
        buffer_.prepare(kReadAhead),
        [self = this->shared_from_this(), drained](error_code error, std::size_t bytes) {
          if (error || drained + bytes > kMostDrained) return self->Close();
          self->DrainMore(drained + bytes);
        });
  }

  Stream stream_;
  SessionsShared& shared_;
  std::string peer_;
  beast::flat_buffer buffer_;
  std::optional<bhttp::request_parser<bhttp::string_body>> parser_;
  std::string answer_;            ///< the head of the response
  std::string body_;              ///< what follows it
  std::shared_ptr<void> unsent_;  ///< of body_
  Accepted accepted_;
  std::shared_ptr<Speaker> speaker_;
  Unsaid unsaid_;
  bool saying_ = false;     ///< what of unsaid_ was taken is on its way
  bool last_said_ = false;  ///< the last of unsaid_ is the end
  bool chunked_ = false;    ///< the peer understands chunks
  bool keep_ = false;
  bool no_body_ = false;
  bool idle_ = false;
};

/// Ends the session on its own thread, whichever lets go of it last.
struct EndOnItsThread {
  SessionsShared* shared;

  template <typename Stream>
  void operator()(Connection<Stream>* ended) const {
    std::unique_ptr<Connection<Stream>> owned(ended);
    if (std::this_thread::get_id() == shared->thread) return;
    const auto last =
        Surely([] { return std::make_shared<std::unique_ptr<Connection<Stream>>>(); });
    *last = std::move(owned);
    Surely([&] { asio::post(*shared->io, [last] { last->reset(); }); });
  }
};

/// `more` is what the stream takes beside the socket.
template <typename Stream, typename... More>
void BeginConnection(tcp::socket socket, SessionsShared& shared, More&... more) {
  std::shared_ptr<Connection<Stream>>(new Connection<Stream>(std::move(socket), shared, more...),
                                      EndOnItsThread{&shared})
      ->Start();
}

}  // namespace

void BeginSession(tcp::socket socket, SessionsShared& shared) {
  if (shared.tls != nullptr) {
    BeginConnection<Tls>(std::move(socket), shared, *shared.tls);
  } else {
    BeginConnection<Plain>(std::move(socket), shared);
  }
}

}  // namespace muster::http
